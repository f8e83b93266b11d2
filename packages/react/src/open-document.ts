import { type Client, ColloquyError, TOKEN_ERRORS } from "@colloquy/client";
import { type HocuspocusProvider, HocuspocusProviderWebsocket, MessageType } from "@hocuspocus/provider";
import { asError } from "./as-error.ts";
import { DocumentProvider } from "./document-provider.ts";

/** A collaborative editor and the state of its connection. */
export interface DocumentState {
  /** The Yjs document, undefined until it is being opened. */
  document: HocuspocusProvider["document"] | undefined;
  provider: HocuspocusProvider | undefined;
  /** Names and cursors of the users who have the editor open. */
  awareness: HocuspocusProvider["awareness"] | undefined;
  /** `disconnected` says that the editor does not connect again; `error` says why. */
  status: "connecting" | "connected" | "disconnected";
  /** Whether the document has the content of the service. */
  isSynced: boolean;
  /** Whether the service is known to have stored all that was typed. False while connecting. */
  isSaved: boolean;
  /** Whether the service accepts no changes of the user. */
  isReadOnly: boolean;
  /** Why the editor was closed: a DocumentError, or a ColloquyError if `getUserToken` has returned no token. */
  error: Error | undefined;
}

/** Says that the service has refused or closed an editor. */
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

/** An editor that is open, or was closed because of an error. */
export interface OpenedDocument {
  /** Connects an editor again that was closed because of an error. What was typed meanwhile is kept and sent. */
  retry(): void;
  close(): void;
}

/** Opens an editor and reports each state of it. */
export function openDocument(client: Client, name: string, report: (state: DocumentState) => void): OpenedDocument {
  let [isOpen, wasTokenRefused] = [true, false];
  let token: string | undefined;
  let tokenFailure: Error | undefined;
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
      wasTokenRefused = false;
      change({ status: "connected", isReadOnly: scope === "readonly" });
    },
    onAuthenticationFailed({ reason }) {
      if (tokenFailure === undefined) refuse(reason);
      else if (tokenFailure instanceof ColloquyError && tokenFailure.isRetryable) reconnect();
      else fail(tokenFailure);
    },
    onClose({ event }) {
      change({ status: "connecting", isSynced: false, isSaved: false });
      if (event.code === MESSAGE_TOO_BIG) refuse("update_too_large");
      // The service closes a document by a message. A closed socket reconnects automatically.
      else if (socket.status === "connected") refuse(event.reason);
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
    tokenFailure = undefined;
    try {
      token = await client.userToken(wasTokenRefused ? token : undefined);
      return token;
    } catch (error) {
      tokenFailure = asError(error);
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

  function refuse(reason: string): void {
    const isOtherTokenNeeded = TOKEN_ERRORS.has(reason) && !wasTokenRefused;
    if (isOtherTokenNeeded) wasTokenRefused = true;
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
