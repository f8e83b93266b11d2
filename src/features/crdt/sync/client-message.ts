import { MessageType } from "@hocuspocus/server";
import { createDecoder, type Decoder, hasContent, readVarString, readVarUint, readVarUint8Array } from "lib0/decoding";
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from "lib0/encoding";
import { messageYjsSyncStep1, messageYjsSyncStep2, messageYjsUpdate } from "y-protocols/sync";

/** Separates the name of a document from the session of a client that opens it several times on one socket. */
const SESSION_SEPARATOR = "\0";
/** Maximum length of an address: three percent-encoded IDs and a session. */
const MAX_ADDRESS_LENGTH = 8 * 1024;
/** Maximum size of a state vector: one of about 30,000 Yjs clients. */
const MAX_STATE_VECTOR_BYTES = 256 * 1024;
/** Maximum number of states in an awareness message. */
const MAX_STATES = 10_000;
/** Kinds of authentication messages: the first is sent by clients, the second by the service. */
const [TOKEN, PERMISSION_DENIED] = [0, 1];

/** The state of one Yjs client in an awareness message: JSON that was not parsed yet. */
export interface SentState {
  clientId: number;
  clock: number;
  json: Uint8Array;
}

type Content =
  | { kind: "token"; token: string }
  | { kind: "awareness"; states: SentState[] }
  /** Asks for what the client lacks of the document, or for the states of all clients. */
  | { kind: "stateRequest" | "awarenessRequest" }
  /** Has what the service lacks of the document, as the client's response to the same question. */
  | { kind: "state" | "update"; update: Uint8Array }
  | { kind: "stateless" | "close" };

/** A message of a client to the connection of one document. */
export type ClientMessage = Content & {
  /** Name of the document, and the session if the client has one. */
  address: string;
  documentName: string;
  /** The whole message. */
  bytes: Uint8Array<ArrayBuffer>;
};

/** Reads a message of a client. Returns undefined if it is malformed, or one that only servers send. */
export function readMessage(data: Uint8Array): ClientMessage | undefined {
  // A length in the message may be too large. In a buffer of its own, nothing follows that could be read instead.
  const bytes = new Uint8Array(data);
  try {
    const decoder = createDecoder(bytes);
    const address = readVarString(decoder);
    const [documentName = "", session] = address.split(SESSION_SEPARATOR, 2);
    if (address.length > MAX_ADDRESS_LENGTH || session === "") return undefined;
    const content = readContent(decoder);
    return content && !hasContent(decoder) ? { address, documentName, bytes, ...content } : undefined;
  } catch {
    return undefined;
  }
}

function readContent(decoder: Decoder): Content | undefined {
  switch (readVarUint(decoder)) {
    case MessageType.Sync:
      return readSync(decoder);
    case MessageType.Awareness:
      return { kind: "awareness", states: readStates(readVarUint8Array(decoder)) };
    case MessageType.Auth:
      return readToken(decoder);
    case MessageType.QueryAwareness:
      return { kind: "awarenessRequest" };
    case MessageType.Stateless:
      readVarString(decoder);
      return { kind: "stateless" };
    case MessageType.CLOSE:
      return { kind: "close" };
    default:
      return undefined;
  }
}

function readSync(decoder: Decoder): Content | undefined {
  const type = readVarUint(decoder);
  const payload = readVarUint8Array(decoder);
  if (type === messageYjsUpdate) return { kind: "update", update: payload };
  if (type === messageYjsSyncStep2) return { kind: "state", update: payload };
  return type === messageYjsSyncStep1 && isStateVector(payload) ? { kind: "stateRequest" } : undefined;
}

function isStateVector(bytes: Uint8Array): boolean {
  if (bytes.length > MAX_STATE_VECTOR_BYTES) return false;
  const decoder = createDecoder(bytes);
  for (let clients = readVarUint(decoder); clients > 0; clients--) {
    readVarUint(decoder);
    readVarUint(decoder);
  }
  return !hasContent(decoder);
}

/** Reads a token, which the version of the client may follow. */
function readToken(decoder: Decoder): Content | undefined {
  if (readVarUint(decoder) !== TOKEN) return undefined;
  const token = readVarString(decoder);
  if (hasContent(decoder)) readVarString(decoder);
  return { kind: "token", token };
}

/** Reads the states of an awareness message, without their JSON. */
function readStates(bytes: Uint8Array): SentState[] {
  const decoder = createDecoder(bytes);
  const count = readVarUint(decoder);
  if (count > MAX_STATES) throw new Error("too many states");
  const states: SentState[] = [];
  for (let index = 0; index < count; index++) {
    const [clientId, clock] = [readVarUint(decoder), readVarUint(decoder)];
    states.push({ clientId, clock, json: readVarUint8Array(decoder) });
  }
  if (hasContent(decoder)) throw new Error("content follows the states");
  return states;
}

/** Returns the address of a message of the service that denies access to its document, or undefined for any other. */
export function getDeniedAddress(message: Uint8Array): string | undefined {
  const decoder = createDecoder(message);
  const address = readVarString(decoder);
  const isDenial = readVarUint(decoder) === MessageType.Auth && readVarUint(decoder) === PERMISSION_DENIED;
  return isDenial ? address : undefined;
}

/** Returns the message of a Yjs update. */
export function encodeUpdate(address: string, update: Uint8Array): ClientMessage["bytes"] {
  return encode(address, [MessageType.Sync, messageYjsUpdate], update);
}

/** Returns the message of an awareness update. */
export function encodeAwareness(address: string, update: Uint8Array): ClientMessage["bytes"] {
  return encode(address, [MessageType.Awareness], update);
}

function encode(address: string, types: number[], payload: Uint8Array): ClientMessage["bytes"] {
  const encoder = createEncoder();
  writeVarString(encoder, address);
  for (const type of types) writeVarUint(encoder, type);
  writeVarUint8Array(encoder, payload);
  return new Uint8Array(toUint8Array(encoder));
}
