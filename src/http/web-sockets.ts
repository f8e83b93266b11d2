import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { Limits } from "../config/limits.ts";
import type { EndUser } from "../contract/end-user.ts";
import { ServiceError } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import { AuthenticatedSockets, type SocketUsers } from "./authenticated-sockets.ts";
import type { BodyBudget, BodyClaim } from "./body-budget.ts";
import type { CrossOrigin } from "./cross-origin.ts";
import type { LimitRejections } from "./limit-rejections.ts";
import { PausableSocket } from "./pausable-socket.ts";
import { getQuery } from "./query.ts";
import { type CountedCaller, countedUser, unknownCaller } from "./request-limits.ts";
import { ResponseScheduler } from "./response-scheduler.ts";
import { type HttpServer, WEB_SOCKET_PATH } from "./server.ts";
import { type UnauthenticatedSocket, UnauthenticatedSockets } from "./unauthenticated-sockets.ts";
import { UnsentBytes } from "./unsent-bytes.ts";

interface Upgrade {
  socket: Duplex;
  head: Buffer;
}

/** Larger messages close their socket. The largest document fits; a larger update is rejected with a reason. */
const MAX_MESSAGE_BYTES = 12 * 1024 * 1024;
const PING_INTERVAL_MS = 15_000;

/** Takes what happens to a socket. */
interface SocketHandler {
  message(data: Uint8Array): void;
  closed(code: number, reason: string): void;
}

/** The web page that has opened a socket. */
export interface CallingPage {
  clientAddress: string;
  /** API key in the URL of the socket, which tokens of another issuer need: browsers send no header of their own. */
  apiKey: string | undefined;
  /**
   * Counts messages to the user from now on. Throws PERMISSION_DENIED if the workspace does not allow the domain of the
   * web page.
   */
  admit(caller: { workspace: Workspace; user: EndUser }): Promise<void>;
}

function callingPage(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  crossOrigin: CrossOrigin,
  {
    socket,
    messages,
    unauthenticated,
    users,
    limitRejections,
  }: {
    socket: PausableSocket;
    messages: ArrivingMessages;
    unauthenticated: UnauthenticatedSocket;
    users: SocketUsers;
    limitRejections: LimitRejections;
  },
): CallingPage {
  return {
    clientAddress: request.ip,
    apiKey: new URLSearchParams(getQuery(request.url)).get("apiKey") || undefined,
    async admit({ workspace, user }) {
      if (request.headers.origin !== undefined) await crossOrigin.requireAllowed(request, reply, workspace);
      try {
        users.add(workspace, user);
      } catch (error) {
        limitRejections.count(error);
        throw error;
      }
      messages.sender = countedUser(workspace, user);
      socket.caller = messages.sender;
      unauthenticated.leave();
    },
  };
}

/** Counts the bytes of a socket's messages while they arrive. */
class ArrivingMessages {
  /** To whom the next message is counted. */
  sender: CountedCaller;
  readonly #budget: BodyBudget;
  #claim: BodyClaim | undefined;

  constructor(budget: BodyBudget, sender: CountedCaller) {
    this.#budget = budget;
    this.sender = sender;
  }

  /** Throws UNAVAILABLE if the budget is exhausted. */
  add(bytes: number): void {
    this.#claim ??= this.#budget.claim(this.sender);
    this.#claim.add(bytes);
  }

  /** Ends a message that has arrived, or will not any more. */
  end(): void {
    this.#claim?.release();
    this.#claim = undefined;
  }
}

function getBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof Uint8Array ? data : new Uint8Array(data);
}

function isMessageTooLarge(error: Error): boolean {
  return "code" in error && error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
}

interface Options {
  crossOrigin: CrossOrigin;
  limits: Pick<Limits, "authenticatedSockets" | "unauthenticatedSockets" | "unsentMessages" | "largeResponses">;
  accept(socket: PausableSocket, page: CallingPage): SocketHandler;
  /** Called before a socket is closed because of its client. */
  closing(reason: string): void;
}

/**
 * Accepts WebSockets on their path. Their requests pass the hooks of every request. Closes a socket whose client has
 * not responded to a ping by the time of the next.
 */
export function registerWebSockets(
  server: HttpServer,
  { crossOrigin, limits, accept, closing }: Options,
): { stop(): void } {
  const unauthenticatedSockets = new UnauthenticatedSockets(limits.unauthenticatedSockets);
  const authenticatedSockets = new AuthenticatedSockets(limits.authenticatedSockets);
  const unsent = new UnsentBytes(limits.unsentMessages);
  const responses = new ResponseScheduler(unsent, limits.largeResponses);
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, clientTracking: true });
  const silent = new WeakSet<WebSocket>();
  const sockets = new WeakMap<WebSocket, PausableSocket>();
  const pings = setInterval(() => {
    for (const webSocket of webSockets.clients) {
      if (silent.delete(webSocket) && !sockets.get(webSocket)?.isPaused) webSocket.terminate();
      // A response to a ping is not read while the socket is paused.
      if (!sockets.get(webSocket)?.isPaused) silent.add(webSocket);
      webSocket.ping();
    }
  }, PING_INTERVAL_MS).unref();
  server.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const response = new ServerResponse(request);
    socket.on("error", () => socket.destroy());
    response.assignSocket(request.socket);
    response.shouldKeepAlive = false;
    response.once("finish", () => socket.end());
    upgrades.set(request, { socket, head });
    server.routing(request, response);
  });
  server.get(WEB_SOCKET_PATH, (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    if (!upgrade)
      throw new ServiceError("operation_unknown", `${WEB_SOCKET_PATH} is a WebSocket, which Yjs providers open.`);
    const unauthenticated = unauthenticatedSockets.enter(request.ip);
    upgrade.socket.once("close", () => unauthenticated.leave());
    reply.hijack();
    reply.raw.detachSocket(request.raw.socket);
    webSockets.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (webSocket) => {
      webSocket.on("pong", () => silent.delete(webSocket));
      const caller = unknownCaller(request.ip);
      const messages = new ArrivingMessages(server.bodyBudget, caller);
      const count = ({ length }: Buffer): void => {
        try {
          messages.add(length);
        } catch {
          webSocket.terminate();
        }
      };
      // Bytes are counted before the message is complete.
      upgrade.socket.prependListener("data", count);
      const socket = new PausableSocket({ webSocket, caller, unsent, responses, closing });
      sockets.set(webSocket, socket);
      unauthenticated.limitTime(socket, closing);
      // The token among these bytes is being checked, and the socket paused, by the time of the microtask.
      upgrade.socket.on("data", ({ length }) => queueMicrotask(() => unauthenticated.count(length, socket, closing)));
      webSocket.on("error", (error) => {
        if (!isMessageTooLarge(error)) return webSocket.terminate();
        closing("update_too_large");
        // `ws` sends the code 1009, discards what still arrives, and destroys the socket after 30 s at the latest.
        upgrade.socket.off("data", count);
        unauthenticated.leave();
        messages.end();
      });
      const users = authenticatedSockets.opened();
      const handler = accept(
        socket,
        callingPage({ request, reply }, crossOrigin, {
          ...{ socket, messages, unauthenticated, users },
          limitRejections: server.limitRejections,
        }),
      );
      webSocket.on("message", (data) => {
        messages.end();
        handler.message(getBytes(data));
      });
      webSocket.on("close", (code, reason) => {
        messages.end();
        users.closed();
        socket.closed();
        handler.closed(code, String(reason));
      });
    });
  });
  return {
    stop() {
      clearInterval(pings);
      for (const webSocket of webSockets.clients) webSocket.terminate();
    },
  };
}
