/** A node of a document's content. */
export interface TreeNode {
  /** Name of a field, index of an item, or start tag of an element; otherwise empty. */
  label: string;
  /** Value of a leaf as it is written. */
  value?: string;
  /** Set for text between tags, in which white space is significant. */
  isText?: boolean;
  children: TreeNode[];
}

/** Returns the tree of a JSON value. */
export function parseJsonTree(label: string, value: unknown): TreeNode {
  if (typeof value !== "object" || value === null) {
    return { label, value: JSON.stringify(value) ?? "undefined", children: [] };
  }
  const children = Object.entries(value).map(([name, child]) => parseJsonTree(name, child));
  if (children.length > 0) return { label, children };
  return { label, value: Array.isArray(value) ? "[]" : "{}", children };
}

/** Matches a tag with its attributes, whose quoted values may contain `>`, or the text up to the next tag. */
const TOKEN = /<(\/?)([^\s/>]+)((?:"[^"]*"|'[^']*'|[^"'>])*?)(\/?)>|[^<]+/gy;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Parses XML written by the service. Returns undefined for anything else. */
export function parseXmlTree(xml: string): TreeNode[] | undefined {
  const roots: TreeNode[] = [];
  const open: { name: string; children: TreeNode[] }[] = [{ name: "", children: roots }];
  let end = 0;
  for (const match of xml.matchAll(TOKEN)) {
    const [token, slash, name, attributes = "", isEmpty] = match;
    end += token.length;
    const parent = open.at(-1);
    if (!parent) return undefined;
    if (name === undefined) {
      parent.children.push({ label: "", value: decodeEntities(token), isText: true, children: [] });
    } else if (slash) {
      if (open.length === 1 || parent.name !== name) return undefined;
      open.pop();
    } else {
      const element: TreeNode = { label: `<${name}${attributes.trimEnd()}>`, children: [] };
      parent.children.push(element);
      if (!isEmpty) open.push({ name, children: element.children });
    }
  }
  return end === xml.length && open.length === 1 ? roots : undefined;
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (reference, hexadecimal, decimal, name) => {
    if (name !== undefined) return new Map(Object.entries(ENTITIES)).get(name) ?? reference;
    const point = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : reference;
  });
}

const PREVIEW_LENGTH = 60;
const PREVIEW_NODES = 20;

/** Returns a preview of a closed node: the fields of an object, or the text in an element. */
export function getPreview(node: TreeNode): string {
  const texts: string[] = [];
  const queue = node.children.slice(0, PREVIEW_NODES);
  let length = 0;
  for (let child = queue.shift(); child && length <= PREVIEW_LENGTH; child = queue.shift()) {
    const { label, value, isText, children } = child;
    const text = isText ? value : value === undefined ? label : `${label}: ${value}`;
    if (text) texts.push(text.slice(0, PREVIEW_LENGTH));
    length += texts.at(-1)?.length ?? 0;
    if (label.startsWith("<")) queue.unshift(...children.slice(0, PREVIEW_NODES));
  }
  const isCut = queue.length > 0 || node.children.length > PREVIEW_NODES;
  const preview = texts.join(node.label.startsWith("<") ? " " : ", ").replaceAll(/\s+/g, " ");
  return preview.length > PREVIEW_LENGTH || isCut ? `${preview.slice(0, PREVIEW_LENGTH).trimEnd()}…` : preview;
}
