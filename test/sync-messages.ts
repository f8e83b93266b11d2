import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from "lib0/encoding";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "./eventually.ts";
import { documentName } from "./sync.ts";

/** Numbers of the types of messages, and of the kinds of those with several. */
export const TYPES = { SYNC: 0, AWARENESS: 1, AUTHENTICATION: 2, AWARENESS_REQUEST: 3, CLOSE: 7, SYNC_STATUS: 8 };
export const STEP_1 = 0;
export const STEP_2 = 1;
const UPDATE = 2;
const TOKEN = 0;

/** Returns a message of these numbers and, unless it has none, a payload. */
export function encodeMessage(numbers: number[], payload?: Uint8Array, address = documentName()): Uint8Array {
  const encoder = createEncoder();
  writeVarString(encoder, address);
  for (const number of numbers) writeVarUint(encoder, number);
  if (payload) writeVarUint8Array(encoder, payload);
  return toUint8Array(encoder);
}

export function encodeToken(token: string, address?: string): Uint8Array {
  return encodeMessage([TYPES.AUTHENTICATION, TOKEN], Buffer.from(token), address);
}

export function encodeUpdate(update: Uint8Array, address?: string): Uint8Array {
  return encodeMessage([TYPES.SYNC, UPDATE], update, address);
}

/** Asks for all of a document. */
export function encodeStateRequest(address?: string): Uint8Array {
  return encodeMessage([TYPES.SYNC, STEP_1], new Uint8Array([0]), address);
}

/** Returns a message with awareness states, which are JSON texts. */
export function encodeStates(states: { clientId: number; clock?: number; json: string }[]): Uint8Array {
  const encoder = createEncoder();
  writeVarUint(encoder, states.length);
  for (const { clientId, clock = 1, json } of states) {
    writeVarUint(encoder, clientId);
    writeVarUint(encoder, clock);
    writeVarString(encoder, json);
  }
  return encodeMessage([TYPES.AWARENESS], toUint8Array(encoder));
}

/** A WebSocket to the service that sends what no provider would. */
export interface RawSyncSocket {
  socket: WebSocket;
  /** Messages for the collaborative document of tests, without its name. */
  received: Uint8Array[];
  closed: Promise<{ code: number; reason: string }>;
  send(...messages: Uint8Array[]): void;
}

/** Opens a WebSocket, which ends with the test. Throws if the service rejects it. */
export async function openSyncSocket(address: string): Promise<RawSyncSocket> {
  const socket = new WebSocket(`${address.replace("http", "ws")}/v2/crdt/sync`);
  onTestFinished(() => socket.terminate());
  socket.on("error", () => {});
  const received: Uint8Array[] = [];
  socket.on("message", (data: Buffer) => received.push(data.subarray(1 + documentName().length)));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return {
    ...{ socket, received, closed },
    send(...messages) {
      for (const message of messages) socket.send(message);
    },
  };
}

/** Opens a WebSocket and, on it, the collaborative document of tests. Throws if the service closes it before. */
export async function openAuthenticatedSocket(address: string, token: string): Promise<RawSyncSocket> {
  const opened = await openSyncSocket(address);
  opened.send(encodeToken(token), encodeStateRequest());
  const hasState = () => opened.received.some(([type, kind]) => type === TYPES.SYNC && kind === STEP_2);
  await eventually(() => {
    if (!hasState() && opened.socket.readyState === WebSocket.OPEN) throw new Error("The document is not open yet.");
  });
  if (!hasState()) throw new Error("The service closed the socket.");
  return opened;
}
