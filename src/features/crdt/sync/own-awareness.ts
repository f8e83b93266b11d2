import type { Document } from "@hocuspocus/server";
import { createEncoder, toUint8Array, writeVarString, writeVarUint } from "lib0/encoding";
import { removeAwarenessStates } from "y-protocols/awareness";
import type { EndUser } from "../../../contract/end-user.ts";
import type { SentState } from "./client-message.ts";
import { SyncError } from "./sync-caller.ts";

/** Maximum size of the state of one client, as it was sent. */
const MAX_STATE_BYTES = 2 * 1024;
const NO_STATE = Buffer.from("null");
const JSON_TEXT = new TextDecoder("utf-8", { fatal: true });

/** Who has a Yjs client. */
interface Owner {
  userId: string;
  /** The connection that has sent its last state, if this process has it. */
  connection?: OwnAwareness;
}

/** Owners of the Yjs clients of each document, by client ID. A client stays with its first user. */
const OWNERS = new WeakMap<Document, Map<number, Owner>>();

function getOwners(document: Document): Map<number, Owner> {
  const owners = OWNERS.get(document) ?? new Map<number, Owner>();
  OWNERS.set(document, owners);
  return owners;
}

/** Remembers whose states have arrived, also from other processes, so that nobody else takes over their clients. */
export function rememberOwners({ document, clientIds }: { document: Document; clientIds: readonly number[] }): void {
  const owners = getOwners(document);
  for (const clientId of clientIds) {
    const { userId } = getUser(document.awareness.getStates().get(clientId));
    if (!owners.has(clientId) && typeof userId === "string") owners.set(clientId, { userId });
  }
}

/** The user of a connection, and whether others see the address. */
interface AwareUser extends EndUser {
  showsEmails: boolean;
}

/**
 * The awareness of one connection: the cursor and name of its user. It has one Yjs client, that of its first state,
 * unless another user has it. Providers also send the states of others, which are dropped.
 */
export class OwnAwareness {
  readonly #document: Document;
  readonly #user: AwareUser;
  #clientId: number | undefined;

  constructor(document: Document, user: AwareUser) {
    this.#document = document;
    this.#user = user;
  }

  /** Returns whether these states remove this connection's own state, as a page does that is hidden. */
  isRemoval(states: readonly SentState[]): boolean {
    const own = this.#findOwn(states);
    return own !== undefined && NO_STATE.equals(own.json);
  }

  /** Returns an awareness update of this connection's own state, or undefined if none was sent. */
  select(states: readonly SentState[]): Uint8Array | undefined {
    const own = this.#findOwn(states);
    if (!own) return undefined;
    if (own.json.length > MAX_STATE_BYTES) throw new SyncError("awareness_too_large");
    const encoder = createEncoder();
    writeVarUint(encoder, 1);
    writeVarUint(encoder, own.clientId);
    writeVarUint(encoder, own.clock);
    writeVarString(encoder, this.#identify(own.json));
    return toUint8Array(encoder);
  }

  /** Removes the state. Hocuspocus drops the message of a client that removes it. */
  remove(): void {
    if (this.#clientId === undefined || this.#owner?.connection !== this) return;
    removeAwarenessStates(this.#document.awareness, [this.#clientId], null);
  }

  /** Removes the state, which Hocuspocus does not do if its client had one before on another connection. */
  end(): void {
    this.remove();
    if (this.#owner?.connection === this) delete this.#owner.connection;
  }

  get #owner(): Owner | undefined {
    return this.#clientId === undefined ? undefined : getOwners(this.#document).get(this.#clientId);
  }

  #findOwn(states: readonly SentState[]): SentState | undefined {
    return states.filter((state) => this.#isOwn(state)).at(-1);
  }

  #isOwn({ clientId, json }: SentState): boolean {
    if (this.#clientId === undefined && !NO_STATE.equals(json)) this.#take(clientId);
    return clientId === this.#clientId;
  }

  /** Takes a client for this connection, unless another user or the service itself has it. */
  #take(clientId: number): void {
    const { userId } = this.#user;
    const owners = getOwners(this.#document);
    const owner = owners.get(clientId);
    if (clientId === this.#document.awareness.clientID || (owner && owner.userId !== userId)) return;
    // A page that connects again has the client of its connection before, which may not have ended yet.
    owners.set(clientId, { userId, connection: this });
    this.#clientId = clientId;
  }

  /** Returns the state with the user of the token, so that nobody speaks under the name of another. */
  #identify(json: Uint8Array): string {
    const state = parseState(json);
    if (state === null) return "null";
    const { userId, name, email, showsEmails } = this.#user;
    const { email: sentEmail, ...sent } = getUser(state);
    const address = showsEmails && sentEmail !== undefined ? { email: email ?? "" } : {};
    return JSON.stringify({ ...state, user: { ...sent, userId, name: name || userId, ...address } });
  }
}

/** Returns the user in a state, or an empty object. */
function getUser(state: object | undefined): { userId?: unknown; email?: unknown } {
  const user: unknown = Object(state).user;
  return typeof user === "object" && user !== null ? user : {};
}

function parseState(json: Uint8Array): object | null {
  let state: unknown;
  try {
    state = JSON.parse(JSON_TEXT.decode(json));
  } catch {
    throw new SyncError("message_invalid");
  }
  if (typeof state !== "object" || Array.isArray(state)) throw new SyncError("message_invalid");
  return state;
}
