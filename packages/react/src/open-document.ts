import { type Client, ColloquyError, TOKEN_ERRORS } from "@colloquy/client";
import { type EditorSchema, guardSchema, type SchemaError } from "@colloquy/client/schema";
import { asError } from "@colloquy/client/stores";
import { type HocuspocusProvider, HocuspocusProviderWebsocket, MessageType } from "@hocuspocus/provider";
import { DocumentProvider } from "./document-provider.ts";

/** A collaborative document and the state of its connection. */
export interface DocumentState {
  /** The Yjs document, undefined until it is being opened. */
  document: HocuspocusProvider["document"] | undefined;
  provider: HocuspocusProvider | undefined;
  /** Names and cursors of the users who have the document open. */
  awareness: HocuspocusProvider["awareness"] | undefined;
  /** `disconnected` says that the document does not connect again; `error` says why. */
  status: "connecting" | "connected" | "disconnected";
  /** Whether the document has the content of the service. */
  isSynced: boolean;
  /** Whether the service is known to have stored all that was typed. False while connecting. */
  isSaved: boolean;
  /** Whether the service accepts no changes of the user. */
  isReadOnly: boolean;
  /** Why the page may not change the document although its user may: its editor lacks some names of the schema. */
  schemaError: SchemaError | undefined;
  /** Why the connection was closed: a DocumentError, or a ColloquyError if `getUserToken` has returned no token. */
  error: Error | undefined;
}

/** Says that the service has rejected or closed a connection. */
export class DocumentError extends Error {
  /** Stable code, such as `access_denied`. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The service has closed the document: ${reason}.`);
    this.name = "DocumentError";
    this.reason = reason;
  }
}

export const CLOSED: DocumentState = {
  document: undefined,
  provider: undefined,
  awareness: undefined,
  status: "connecting",
  isSynced: false,
  isSaved: false,
  isReadOnly: false,
  schemaError: undefined,
  error: undefined,
};

/** Reasons, two of them of Hocuspocus, after which the same connection may succeed. */
const TEMPORARY = new Set(["unavailable", "stopping", "Reset Connection", "Server closed the connection"]);
/** Code of a socket that was closed because a message was too large. It would be sent again. */
const MESSAGE_TOO_BIG = 1009;

type Report = (state: DocumentState) => void;

export interface CollaborativeDocumentRef {
  organizationId: string;
  documentId: string;
  editorId: string;
}

interface OpeningDocument {
  client: Client<"page">;
  ref: CollaborativeDocumentRef;
  /** Schema of the editor of the page. */
  schema: EditorSchema | undefined;
}

/** A document that is open, or was closed because of an error. */
export interface OpenedDocument {
  /** Connects a document again that was closed because of an error. What was typed meanwhile is kept and sent. */
  retry(): void;
  /** Ends the reports. The document stays in memory until the service has stored what was typed. */
  close(): void;
}

/** A document that was closed while the service had not stored all that was typed. */
interface UnsavedDocument extends OpeningDocument {
  resume(report: Report): OpenedDocument;
}

const unsaved = new Set<UnsavedDocument>();

/** Opens a collaborative document, with what was typed into it before if that is not stored. Reports each state. */
export function openDocument(opening: OpeningDocument, report: Report): OpenedDocument {
  const isSame = ({ client, ref, schema }: OpeningDocument) =>
    client === opening.client && JSON.stringify([ref, schema]) === JSON.stringify([opening.ref, opening.schema]);
  const known = [...unsaved].find(isSame);
  return known ? known.resume(report) : connectDocument(opening, report);
}

function connectDocument({ client, ref, schema }: OpeningDocument, initialReport: Report): OpenedDocument {
  const { organizationId, documentId, editorId } = ref;
  /** Undefined while the document is closed but not stored. */
  let report: Report | undefined = initialReport;
  let [isOpen, isGuarded, wasTokenRejected] = [true, false, false];
  let token: string | undefined;
  let tokenError: Error | undefined;
  let state = CLOSED;

  const socket = new HocuspocusProviderWebsocket({
    url: client.syncUrl,
    autoConnect: false,
  });
  const provider = new DocumentProvider({
    websocketProvider: socket,
    name: [organizationId, documentId, editorId].map(encodeURIComponent).join("/"),
    token: getToken,
    onAuthenticated({ scope }) {
      wasTokenRejected = false;
      change({ status: "connected", isReadOnly: scope === "readonly" || state.schemaError !== undefined });
    },
    onAuthenticationFailed({ reason }) {
      if (tokenError === undefined) reject(reason);
      else if (tokenError instanceof ColloquyError && tokenError.isRetryable) reconnect();
      else fail(tokenError);
    },
    onClose({ event }) {
      change({ status: "connecting", isSynced: false, isSaved: false });
      if (event.code === MESSAGE_TOO_BIG) reject("update_too_large");
      // The service closes a document by a message. A closed socket reconnects automatically.
      else if (socket.status === "connected") reject(event.reason);
    },
    onMessage({ message }) {
      message.readVarString();
      const isStatus = message.readVarUint() === MessageType.SyncStatus;
      if (isStatus && message.readVarUint() === 0) change({ isReadOnly: true });
    },
    onSynced: () => change({ isSynced: true }),
    // An editor that lacks names of the schema deletes them in its copy, which is not sent.
    onUnsyncedChanges: ({ number }) => change({ isSaved: number === 0 || state.schemaError !== undefined }),
  });

  /** Compares the schema of the page with that of the document, before the page has its content. */
  async function guard(pageSchema: EditorSchema): Promise<void> {
    const { data: stored } = await client.call("/v2/crdt/schema/get", ref);
    const onReadOnly = (schemaError: SchemaError) => change({ isReadOnly: true, schemaError });
    guardSchema(provider, { schema: pageSchema, stored, onReadOnly });
    if (stored.schema && stored.schema.version >= pageSchema.version) return;
    // A user who may not type records no schema.
    await client.call("/v2/crdt/schema/update", { ...ref, schema: pageSchema }).catch(() => {});
  }

  async function connect(): Promise<void> {
    try {
      if (schema && !isGuarded) await guard(schema);
      isGuarded = true;
      change({ document, provider, awareness });
      if (isOpen) connectOnceClosed();
    } catch (error) {
      fail(asError(error));
    }
  }

  async function getToken(): Promise<string> {
    tokenError = undefined;
    try {
      token = await client.userToken(wasTokenRejected ? token : undefined);
      return token;
    } catch (error) {
      tokenError = asError(error);
      throw error;
    }
  }

  function change(changes: Partial<DocumentState>): void {
    const next = { ...state, ...changes };
    const names = Object.keys(changes) as (keyof DocumentState)[];
    if (!isOpen || state.error !== undefined || names.every((name) => next[name] === state[name])) return;
    state = next;
    if (report) report(state);
    // The provider may be in the middle of a message.
    else queueMicrotask(endIfSaved);
  }

  /** Ends a closed document unless the service may still store what was typed. */
  function endIfSaved(): void {
    const mayBeSaved = provider.hasUnsyncedChanges && (!state.isReadOnly || state.error !== undefined);
    if (isOpen && !report && !mayBeSaved) end();
  }

  function showAgain(): void {
    provider.pageShow();
  }

  function end(): void {
    isOpen = false;
    forgetReset();
    unsaved.delete(closed);
    removeEventListener("pageshow", showAgain);
    provider.destroy();
    socket.destroy();
    document.destroy();
  }

  function reject(reason: string): void {
    const isOtherTokenNeeded = TOKEN_ERRORS.has(reason) && !wasTokenRejected;
    if (isOtherTokenNeeded) wasTokenRejected = true;
    if (isOtherTokenNeeded || TEMPORARY.has(reason)) reconnect();
    else fail(new DocumentError(reason));
  }

  /** Closes the socket, after which the provider opens another one. A socket stays with its first token. */
  function reconnect(): void {
    socket.webSocket?.close();
  }

  function fail(error: Error): void {
    change({ status: "disconnected", isSynced: false, isReadOnly: true, error });
    socket.disconnect();
  }

  /** Connects again. A socket that is still closing would ignore it, and then stay closed. */
  function connectOnceClosed(): void {
    socket.off("disconnect", connectOnceClosed);
    if (socket.status === "disconnected") void socket.connect();
    else socket.on("disconnect", connectOnceClosed);
  }

  const { document, awareness } = provider;
  // What a user has typed must not be sent as that of the next user.
  const forgetReset = client.onReset(end);
  // An editor that has the document before the guard would see changes first, and delete what it does not know.
  if (!schema) change({ document, provider, awareness });
  provider.attach();
  addEventListener("pageshow", showAgain);
  // React's strict mode opens and closes each document once before, which then opens no socket.
  queueMicrotask(() => {
    if (isOpen) void connect();
  });
  const opened: OpenedDocument = {
    retry() {
      if (!report || state.error === undefined) return;
      state = { ...state, status: "connecting", error: undefined };
      report(state);
      void connect();
    },
    close() {
      report = undefined;
      if (!isOpen) return;
      // The user has seen an error, and may have corrected its cause.
      if (state.error !== undefined) return end();
      awareness?.setLocalState(null);
      unsaved.add(closed);
      endIfSaved();
    },
  };
  const closed: UnsavedDocument = {
    ...{ client, ref, schema },
    resume(next) {
      unsaved.delete(closed);
      awareness?.setLocalState({});
      report = next;
      report(state);
      return opened;
    },
  };
  return opened;
}
