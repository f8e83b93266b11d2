import { type Client, ColloquyError, TOKEN_ERRORS } from "@colloquy/client";
import { type HocuspocusProvider, HocuspocusProviderWebsocket, MessageType } from "@hocuspocus/provider";
import { asError } from "./as-error.ts";
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
  error: undefined,
};

/** Reasons, two of them of Hocuspocus, after which the same connection may succeed. */
const TEMPORARY = new Set(["unavailable", "stopping", "Reset Connection", "Server closed the connection"]);
/** Code of a socket that was closed because a message was too large. It would be sent again. */
const MESSAGE_TOO_BIG = 1009;

/** A document that is open, or was closed because of an error. */
export interface OpenedDocument {
  /** Connects a document again that was closed because of an error. What was typed meanwhile is kept and sent. */
  retry(): void;
  close(): void;
}

/** Opens a collaborative document and reports each of its states. */
export function openDocument(client: Client, name: string, report: (state: DocumentState) => void): OpenedDocument {
  let [isOpen, wasTokenRejected] = [true, false];
  let token: string | undefined;
  let tokenError: Error | undefined;
  let state = CLOSED;

  const socket = new HocuspocusProviderWebsocket({
    url: `${client.url.replace(/^http/, "ws")}/v2/crdt/sync`,
    autoConnect: false,
  });
  const provider = new DocumentProvider({
    websocketProvider: socket,
    name,
    token: getToken,
    onAuthenticated({ scope }) {
      wasTokenRejected = false;
      change({ status: "connected", isReadOnly: scope === "readonly" });
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
    onUnsyncedChanges: ({ number }) => change({ isSaved: number === 0 }),
  });

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
    report(state);
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
  change({ document, provider, awareness });
  provider.attach();
  // React's strict mode opens and closes each document once before, which then opens no socket.
  queueMicrotask(() => {
    if (isOpen) void socket.connect();
  });
  return {
    retry() {
      if (!isOpen || state.error === undefined) return;
      state = { ...state, status: "connecting", error: undefined };
      report(state);
      connectOnceClosed();
    },
    close() {
      isOpen = false;
      provider.destroy();
      socket.destroy();
      document.destroy();
    },
  };
}
