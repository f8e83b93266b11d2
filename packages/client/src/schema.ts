/** The names that an editor knows, under a version that grows with each change of them. */
export interface EditorSchema {
  name: string;
  version: number;
  nodes: string[];
  marks: string[];
}

/** Names of nodes and marks. */
export type SchemaNames = Pick<EditorSchema, "nodes" | "marks">;

/** Returns the schema of an editor of ProseMirror, such as `editor.schema` of Tiptap, under a name and version. */
export function toEditorSchema(
  schema: { nodes: object; marks: object },
  { name, version }: Pick<EditorSchema, "name" | "version">,
): EditorSchema {
  return { name, version, nodes: Object.keys(schema.nodes), marks: Object.keys(schema.marks) };
}

/** Says that a page cannot edit a document, because its editor would delete what it does not know. */
export class SchemaError extends Error {
  /** The names that the editor of the page lacks. */
  readonly missing: SchemaNames;

  constructor(missing: SchemaNames) {
    const names = [...missing.nodes, ...missing.marks].join(", ");
    super(`This page cannot edit the document, because its editor does not know: ${names}. Reload the page.`);
    this.name = "SchemaError";
    this.missing = missing;
  }
}

/** A shared type of Yjs, by what the guard reads of it. */
interface SharedNode {
  nodeName?: string;
  toArray?(): unknown[];
  toDelta?(): Operation[];
}

interface Operation {
  insert?: unknown;
  attributes?: object | undefined;
}

interface SharedEvent {
  delta: Operation[];
}

interface SharedFragment extends SharedNode {
  observeDeep(observer: (events: SharedEvent[]) => void): void;
  unobserveDeep(observer: (events: SharedEvent[]) => void): void;
}

/** A provider of Hocuspocus, by what the guard uses of it. */
interface GuardedProvider {
  document: { getXmlFragment(name: string): SharedFragment };
  // biome-ignore lint/suspicious/noExplicitAny: The guard passes on what it does not know.
  send: (...message: any[]) => void;
}

interface GuardOptions {
  schema: EditorSchema;
  /** What `/v2/crdt/schema/get` has returned. */
  stored: { contentKey: string; schema: EditorSchema | null };
  /** Called once, when the document becomes read-only. */
  onReadOnly(error: SchemaError): void;
}

/**
 * Sends no changes of a document that has nodes or marks which the editor of the page lacks, now or later: the editor
 * deletes them in its copy. It must be called before an editor gets the document. Returns a function that ends it.
 */
export function guardSchema(provider: GuardedProvider, { schema, stored, onReadOnly }: GuardOptions): () => void {
  const known = { nodes: new Set([...schema.nodes, "text"]), marks: new Set(schema.marks) };
  const fragment = provider.document.getXmlFragment(stored.contentKey);
  const send = provider.send.bind(provider);
  let isReadOnly = false;
  provider.send = (message, content, ...others) => {
    // Updates, and responses to the service's question for what it lacks.
    if (isReadOnly && ("update" in content || "encoder" in content)) return;
    send(message, content, ...others);
  };
  const check = (names: SchemaNames) => {
    const missing = {
      nodes: names.nodes.filter((name) => !known.nodes.has(name)),
      marks: names.marks.filter((name) => !known.marks.has(name)),
    };
    if (isReadOnly || missing.nodes.length + missing.marks.length === 0) return;
    isReadOnly = true;
    onReadOnly(new SchemaError(missing));
  };
  const observe = (events: SharedEvent[]) => check(findNames(events.flatMap(({ delta }) => delta)));
  fragment.observeDeep(observe);
  if (stored.schema && stored.schema.version > schema.version) check(stored.schema);
  check(findNames([{ insert: fragment.toArray?.() }]));
  return () => fragment.unobserveDeep(observe);
}

/** Returns the names of nodes and marks that operations insert, each once. */
function findNames(operations: readonly Operation[]): SchemaNames {
  const nodes = new Set<string>();
  const marks = new Set<string>();
  const visit = ({ insert, attributes = {} }: Operation): void => {
    for (const [name, value] of Object.entries(attributes)) if (value !== null) marks.add(toMarkName(name));
    for (const inserted of Array.isArray(insert) ? insert : []) {
      const { nodeName, toDelta, toArray }: SharedNode = inserted;
      if (nodeName !== undefined) nodes.add(nodeName);
      if (toDelta) for (const operation of toDelta.call(inserted)) visit(operation);
      else if (toArray) visit({ insert: toArray.call(inserted) });
    }
  };
  for (const operation of operations) visit(operation);
  marks.delete("ychange");
  return { nodes: [...nodes], marks: [...marks] };
}

/** Returns the mark of an attribute. Marks that may overlap have a hash in their attribute. */
function toMarkName(attribute: string): string {
  return attribute.replace(/--[\w+/=]{8}$/, "");
}
