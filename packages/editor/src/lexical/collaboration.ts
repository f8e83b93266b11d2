import type { Provider, ProviderAwareness, UserState } from "@lexical/yjs";
import * as Y from "yjs";

type Listener = (event: { status?: string }) => void;

/** What is needed of the provider of `useDocument`. */
export interface DocumentProvider {
  document: Y.Doc;
  awareness: SharedAwareness | null;
  isSynced: boolean;
  on(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
}

interface SharedAwareness {
  clientID: number;
  getLocalState(): { [field: string]: unknown } | null;
  getStates(): Map<number, { [field: string]: unknown }>;
  setLocalState(state: { [field: string]: unknown } | null): void;
  setLocalStateField(field: string, value: unknown): void;
  on(event: "update", listener: () => void): unknown;
  off(event: "update", listener: () => void): unknown;
}

/** Connects editors of Lexical to a collaborative document. */
export interface LexicalCollaboration {
  /** Prop of `CollaborationPlugin`. */
  providerFactory(id: string, documents: Map<string, Y.Doc>): Provider;
  /** Returns the content of the editor that was created last. Undefined before. */
  getRoot(): Y.XmlText | undefined;
}

/**
 * Connects editors of Lexical to the document of `useDocument`. The binding of Lexical shows only what changes after it
 * was created, and what it writes on Yjs types is wrong for the next editor. So each editor has a copy of the document
 * that begins empty and gets the content once the binding listens, however late the editor is rendered.
 */
export function connectLexical(
  provider: DocumentProvider,
  { rootName = "root" }: { rootName?: string } = {},
): LexicalCollaboration {
  let copy: Y.Doc | undefined;
  return {
    providerFactory(id, documents) {
      copy = new Y.Doc();
      documents.set(id, copy);
      return new CopyProvider(provider, copy);
    },
    getRoot: () => copy?.get(rootName, Y.XmlText),
  };
}

/** The provider of an editor, which keeps its copy and the document of the page alike. */
class CopyProvider implements Provider {
  readonly awareness: ProviderAwareness;
  readonly #provider: DocumentProvider;
  readonly #copy: Y.Doc;
  readonly #listeners = new Map<string, Set<(event: never) => void>>();
  readonly #handleSynced = () => this.#emit("sync", true);
  readonly #handleStatus = (event: { status?: string }) => this.#emit("status", event);

  constructor(provider: DocumentProvider, copy: Y.Doc) {
    this.#provider = provider;
    this.#copy = copy;
    this.awareness = createAwareness(provider.awareness);
  }

  connect(): void {
    const { document } = this.#provider;
    merge(document, this.#copy, this);
    merge(this.#copy, document, this);
    document.on("update", this.#fill);
    this.#copy.on("update", this.#send);
    this.#provider.on("synced", this.#handleSynced);
    this.#provider.on("status", this.#handleStatus);
    if (this.#provider.isSynced) this.#handleSynced();
  }

  /** Ends the connection of the editor. The document stays connected. */
  disconnect(): void {
    this.#provider.document.off("update", this.#fill);
    this.#copy.off("update", this.#send);
    this.#provider.off("synced", this.#handleSynced);
    this.#provider.off("status", this.#handleStatus);
    this.awareness.setLocalState(null);
  }

  on(event: string, listener: (event: never) => void): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  off(event: string, listener: (event: never) => void): void {
    this.#listeners.get(event)?.delete(listener);
  }

  readonly #fill = (update: Uint8Array, origin: unknown) => {
    if (origin !== this) Y.applyUpdate(this.#copy, update, this);
  };

  readonly #send = (update: Uint8Array, origin: unknown) => {
    if (origin !== this) Y.applyUpdate(this.#provider.document, update, this);
  };

  #emit(event: string, data: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(castEvent(data));
  }
}

/** Casts what a listener gets: each is registered for one event, whose data it takes. */
function castEvent(data: unknown): never {
  return data as never;
}

function merge(from: Y.Doc, to: Y.Doc, origin: unknown): void {
  Y.applyUpdate(to, Y.encodeStateAsUpdate(from, Y.encodeStateVector(to)), origin);
}

/** Fields of the state that show a cursor. */
const NO_CURSOR = { anchorPos: null, focusPos: null, focusing: false };

/**
 * Returns the cursors without the user's own, which Lexical knows by the client ID of the copy. They have the names
 * that the service has confirmed, and the user's own other fields stay.
 */
function createAwareness(awareness: SharedAwareness | null): ProviderAwareness {
  const getOwn = () => awareness?.getLocalState() ?? null;
  return {
    getLocalState: () => castState(getOwn()),
    getStates() {
      const others = [...(awareness?.getStates() ?? [])].filter(([id]) => id !== awareness?.clientID);
      return new Map(others.map(([id, state]) => [id, castState({ ...state, name: getName(state) })]));
    },
    // Lexical removes the state when the page is left, which the provider does too, but asks for it again if it stays.
    setLocalState: (state) => awareness?.setLocalState({ ...getOwn(), ...(state ?? NO_CURSOR) }),
    setLocalStateField: (field, value) => awareness?.setLocalStateField(field, value),
    on: (event, listener) => void awareness?.on(event, listener),
    off: (event, listener) => void awareness?.off(event, listener),
  };
}

function getName({ user, name }: { [field: string]: unknown }): unknown {
  return typeof user === "object" && user !== null && "name" in user ? user.name : name;
}

/** Casts a state that a page of Lexical has sent; that of another page shows no cursor. */
function castState<State extends { [field: string]: unknown } | null>(state: State): UserState & State {
  return (state && { ...NO_CURSOR, ...state }) as UserState & State;
}
