import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { EndUser } from "../contract/end-user.ts";
import { ServiceError } from "../contract/errors.ts";
import type { Workspace } from "../contract/operation.ts";
import type { BodyBudget, BodyClaim } from "./body-budget.ts";
import type { CrossOrigin } from "./cross-origin.ts";
import { type CountedCaller, countedUser, unknownCaller } from "./request-limits.ts";
import { type HttpServer, WEB_SOCKET_PATH } from "./server.ts";

interface Upgrade {
  socket: Duplex;
  head: Buffer;
}

/** Larger messages close their socket. The largest document fits; a larger update is rejected with a reason. */
const MAX_MESSAGE_BYTES = 12 * 1024 * 1024;
const PING_INTERVAL_MS = 15_000;

/** Bytes that wait for a client that does not read them, past which it is cut off. It holds the largest document. */
const MAX_UNREAD_BYTES = 24 * 1024 * 1024;

/** Takes what happens to a socket. */
interface SocketHandler {
  message(data: Uint8Array): void;
  closed(code: number, reason: string): void;
}

/** The web page that has opened a socket. */
export interface CallingPage {
  clientAddress: string;
  /**
   * Counts messages to the user from now on. Throws PERMISSION_DENIED if the workspace does not allow the domain of the
   * web page.
   */
  admit(caller: { workspace: Workspace; user: EndUser }): Promise<void>;
}

function callingPage(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  crossOrigin: CrossOrigin,
  messages: ArrivingMessages,
): CallingPage {
  return {
    clientAddress: request.ip,
    async admit({ workspace, user }) {
      if (request.headers.origin !== undefined) await crossOrigin.requireAllowed(request, reply, workspace);
      messages.sender = countedUser(workspace, user);
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

/** A WebSocket that can be paused several times, and that is cut off if its client does not read. */
class PausableSocket {
  readonly #webSocket: WebSocket;
  #pauses = 0;

  constructor(webSocket: WebSocket) {
    this.#webSocket = webSocket;
  }

  get readyState(): number {
    return this.#webSocket.readyState;
  }

  send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    if (data instanceof Blob) throw new Error("a message must be bytes or text");
    this.#webSocket.send(data);
    if (this.#webSocket.bufferedAmount > MAX_UNREAD_BYTES) this.#webSocket.terminate();
  }

  close(code?: number, reason?: string): void {
    this.#webSocket.close(code, reason);
  }

  /** Stops reading until `resume` was called as often. */
  pause(): void {
    if (++this.#pauses === 1) this.#webSocket.pause();
  }

  resume(): void {
    if (--this.#pauses === 0) this.#webSocket.resume();
  }
}

function getBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof Uint8Array ? data : new Uint8Array(data);
}

function isMessageTooLarge(error: Error): boolean {
  return "code" in error && error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
}

/**
 * Accepts WebSockets on their path. Their requests pass the hooks of every request. Closes a socket whose client has
 * not responded to a ping by the time of the next.
 */
export function registerWebSockets(
  server: HttpServer,
  crossOrigin: CrossOrigin,
  accept: (socket: PausableSocket, page: CallingPage) => SocketHandler,
): { stop(): void } {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, clientTracking: true });
  const silent = new WeakSet<WebSocket>();
  const pings = setInterval(() => {
    for (const webSocket of webSockets.clients) {
      if (silent.has(webSocket)) webSocket.terminate();
      silent.add(webSocket);
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
    reply.hijack();
    reply.raw.detachSocket(request.raw.socket);
    webSockets.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (webSocket) => {
      webSocket.on("pong", () => silent.delete(webSocket));
      const messages = new ArrivingMessages(server.bodyBudget, unknownCaller(request.ip));
      const count = ({ length }: Buffer): void => {
        try {
          messages.add(length);
        } catch {
          webSocket.terminate();
        }
      };
      // Bytes are counted before the message is complete.
      upgrade.socket.prependListener("data", count);
      webSocket.on("error", (error) => {
        if (!isMessageTooLarge(error)) return webSocket.terminate();
        // `ws` sends the code 1009, discards what still arrives, and destroys the socket after 30 s at the latest.
        upgrade.socket.off("data", count);
        messages.end();
      });
      const page = callingPage({ request, reply }, crossOrigin, messages);
      const handler = accept(new PausableSocket(webSocket), page);
      webSocket.on("message", (data) => {
        messages.end();
        handler.message(getBytes(data));
      });
      webSocket.on("close", (code, reason) => {
        messages.end();
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
