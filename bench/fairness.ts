/** `npm run bench -- fairness`: measures what a user who asks for too much gets, and what a backend and others lose. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { MessageType } from "@hocuspocus/provider";
import { createEncoder, toUint8Array, writeVarString, writeVarUint } from "lib0/encoding";
import { WebSocket } from "ws";
import { buildRequest, type ConnectionsResult, describe, load, sendAndIgnore } from "./connection-load.ts";
import { AUTHENTICATION_HEADERS, type RunningService } from "./service.ts";

const ORGANIZATION = { organizationId: "bench" };
const SCOPE = { ...ORGANIZATION, documentId: "document-0" };
const CONNECTIONS = 4;
const SECONDS = 4;
const [SLOW_BODIES, UNREAD_PAGES, OPENED] = [500, 200, 150];
const WRITERS = 16;

type Load = (request: string) => Promise<ConnectionsResult>;

/** The callers beside the greedy user. */
interface Others {
  backend: string;
  user: string;
}

export async function measureFairness(service: RunningService): Promise<void> {
  const { address } = service;
  await seed(service);
  const [greedy, ada] = [await signIn(service, "greedy"), await signIn(service, "ada")];
  const page = { ...SCOPE, pageSize: 10 };
  const others = {
    backend: buildRequest("/v2/activities/get", page, AUTHENTICATION_HEADERS),
    user: buildRequest("/v2/activities/get", page, ada),
  };
  // Compiles the hot functions.
  await measureOthers(address, others);

  /** Measures the others alone, and while something is going on. */
  async function beside(what: string, begin: () => Promise<() => Promise<string> | string>): Promise<void> {
    const alone = await measureOthers(address, others);
    const end = await begin();
    const figures = await measureOthers(address, others);
    print(what, figures, alone);
    console.log(`  ${await end()}; resident memory ${(service.program.memoryBytes() / 1e6).toFixed(0)} MB\n`);
    await delay(1_500);
  }

  await beside(`${SLOW_BODIES} slow bodies`, () => sendSlowBodies(address, greedy));
  await beside(`${UNREAD_PAGES} pages of 8 MB that are not read`, () => readNothing(address, greedy));
  await beside(`${OPENED} streams and ${OPENED} sockets`, () => openAll(address, greedy));
  for (const [kind, [path, data]] of Object.entries(WRITES)) {
    await beside(`${kind} in a loop over ${WRITERS} connections`, async () => {
      const written = load(address, {
        connections: WRITERS,
        seconds: SECONDS,
        request: buildRequest(path, data, greedy),
      });
      return async () => describe(await written);
    });
  }
}

const ANNOTATION = { ...SCOPE, annotationId: "thread" };
const COMMENT = { commentText: "Hello" };

/** Writes of a user by kind. */
const WRITES: Record<string, [path: string, data: object]> = {
  comments: ["/v2/commentannotations/comments/add", { ...ANNOTATION, commentData: [COMMENT] }],
  annotations: ["/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [{ commentData: [COMMENT] }] }],
  reactions: ["/v2/reactions/add", { ...ANNOTATION, commentId: 1, reaction: "👍" }],
  broadcasts: ["/v2/livestate/broadcast", { ...SCOPE, liveStateDataId: "slide", data: { number: 1 } }],
  versions: ["/v2/crdt/versions/add", { ...SCOPE, editorId: "text", name: "Draft" }],
  presence: ["/v2/presence/add", { ...SCOPE, users: [{}] }],
};

async function seed({ call }: RunningService): Promise<void> {
  const activity = { featureType: "comment", actionType: "comment.add", actionUser: { userId: "ada" } } as const;
  await call("/v2/activities/add", { ...SCOPE, activities: Array.from({ length: 20 }, () => activity) });
  const long = { ...activity, entityData: "x".repeat(1_000_000) };
  for (let count = 0; count < 8; count++) {
    await call("/v2/activities/add", { ...ORGANIZATION, documentId: "long", activities: [long] });
  }
  const commentAnnotations = [
    { annotationId: "thread", commentData: [{ ...COMMENT, commentId: 1, from: { userId: "greedy" } }] },
  ];
  await call("/v2/commentannotations/add", { ...SCOPE, commentAnnotations });
  await call("/v2/crdt/add", { ...SCOPE, editorId: "text", type: "text", data: "Hello" });
}

async function signIn({ call }: RunningService, userId: string): Promise<Record<string, string>> {
  const resources = [{ type: "organization" as const, id: "bench", accessRole: "editor" as const }];
  const userProperties = { name: userId, email: `${userId}@example.com` };
  const { token } = await call("/v2/auth/generate_token", { userId, userProperties, permissions: { resources } });
  return { authorization: `Bearer ${token}` };
}

async function measureOthers(address: string, others: Others): Promise<Record<keyof Others, ConnectionsResult>> {
  const measure: Load = (request) => load(address, { connections: CONNECTIONS, seconds: SECONDS, request });
  const [backend, user] = await Promise.all([measure(others.backend), measure(others.user)]);
  return { backend, user };
}

function print(
  what: string,
  { backend, user }: Record<keyof Others, ConnectionsResult>,
  alone: Record<keyof Others, ConnectionsResult>,
): void {
  const ratio = (one: ConnectionsResult, other: ConnectionsResult) => (one.p99Ms / other.p99Ms).toFixed(2);
  console.log(`beside ${what}:`);
  console.log(`  backend ${describe(backend)}: p99 ${ratio(backend, alone.backend)} times that alone (target: 2)`);
  console.log(`  another user ${describe(user)}: p99 ${ratio(user, alone.user)} times that alone (target: 2)`);
}

/** Sends most of many bodies. */
async function sendSlowBodies(address: string, headers: Record<string, string>): Promise<() => string> {
  const head = buildRequest("/v2/commentannotations/add", {}, { ...headers, "content-length": "2000000" });
  const sockets = Array.from({ length: SLOW_BODIES }, () => sendAndIgnore(address, head, Buffer.alloc(500_000, " ")));
  let rejected = 0;
  for (const socket of sockets) socket.once("data", () => rejected++).resume();
  await delay(1_000);
  return () => {
    end(sockets);
    return `${SLOW_BODIES - rejected} bodies of 0.5 MB are held, ${rejected} were rejected`;
  };
}

async function readNothing(address: string, headers: Record<string, string>): Promise<() => string> {
  const request = buildRequest("/v2/activities/get", { ...ORGANIZATION, documentId: "long" }, headers);
  const sockets = Array.from({ length: UNREAD_PAGES }, () => sendAndIgnore(address, request));
  const statuses = sockets.map(async (socket) => {
    const [bytes] = await once(socket, "data");
    socket.pause();
    return String(bytes).includes(" 200 ");
  });
  for (const socket of sockets) socket.resume();
  let sent = 0;
  let rejected = 0;
  for (const status of statuses) status.then((isSent) => (isSent ? sent++ : rejected++)).catch(() => {});
  await delay(1_000);
  return () => {
    end(sockets);
    return `${sent} pages were begun, ${rejected} rejected, ${UNREAD_PAGES - sent - rejected} wait`;
  };
}

/** Opens streams and WebSockets. */
async function openAll(address: string, headers: Record<string, string>): Promise<() => string> {
  const stop = new AbortController();
  const url = `${address}/v2/events/stream?${new URLSearchParams(SCOPE)}`;
  const streams = await Promise.all(Array.from({ length: OPENED }, () => fetch(url, { headers, signal: stop.signal })));
  const token = headers.authorization?.replace("Bearer ", "") ?? "";
  const sockets = await Promise.all(Array.from({ length: OPENED }, () => openSocket(address, token)));
  return () => {
    const opened = streams.filter(({ ok }) => ok).length;
    const authenticated = sockets.filter(({ isAccepted }) => isAccepted).length;
    stop.abort();
    for (const { socket } of sockets) socket.terminate();
    return `${opened} streams and ${authenticated} sockets were accepted`;
  };
}

/** Opens a WebSocket and a document in it. */
async function openSocket(address: string, token: string): Promise<{ socket: WebSocket; isAccepted: boolean }> {
  const socket = new WebSocket(`${address.replace("http", "ws")}/v2/crdt/sync`).on("error", () => {});
  const isOpen = await Promise.race([
    once(socket, "open").then(
      () => true,
      () => false,
    ),
    once(socket, "close").then(() => false),
  ]);
  if (!isOpen) return { socket, isAccepted: false };
  const message = createEncoder();
  writeVarString(message, "bench/document-0/text");
  writeVarUint(message, MessageType.Auth);
  writeVarUint(message, 0);
  writeVarString(message, token);
  const responded = once(socket, "message").then(([bytes]) => String(bytes).includes("read-write"));
  const closed = once(socket, "close").then(() => false);
  socket.send(toUint8Array(message));
  return { socket, isAccepted: await Promise.race([responded, closed]) };
}

function end(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}
