import type { IncomingMessage, ServerResponse } from "node:http";
import { Server, type Socket } from "node:net";
import { setTimeout as delay, setImmediate as nextIteration } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** Grace period for requests in transit on connections that look idle. */
const GRACE_MS = 100;
const CLOSE_IDLE_INTERVAL_MS = 20;
/** Share of the 10 s that a stop may take; the rest is for the database. */
const CLOSE_ALL_AFTER_MS = 7_000;

/** Returns a signal that aborts when the server begins to close. */
export function closingSignal(server: FastifyInstance): AbortSignal {
  const closing = new AbortController();
  server.addHook("preClose", async () => closing.abort());
  return closing.signal;
}

/**
 * Makes close() respond to every request that has reached the service and wait for nothing else: new connections are
 * rejected at once, those without a request are closed after a moment, and all others after 7 s. Call it after adding
 * hooks that end the work of connections, because its hook waits for them. Returns a function that says whether
 * responses must have `Connection: close`.
 */
export function closeConnectionsOnClose(server: FastifyInstance): () => boolean {
  /** Newest response on each open connection. */
  const newest = new Map<Socket, ServerResponse | undefined>();
  let isClosing = false;
  // One listener for all, because an idle stream would keep its own.
  function forget(this: Socket): void {
    newest.delete(this);
  }
  server.server.on("connection", (socket: Socket) => {
    newest.set(socket, undefined);
    socket.on("close", forget);
  });
  server.server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (newest.has(socket)) newest.set(socket, response);
  });
  server.addHook("preClose", async () => {
    await stopListening(server.server);
    // Set only now, because `Connection: close` makes clients reconnect, and a port that is about to close resets them.
    isClosing = true;
    const deadline = performance.now() + CLOSE_ALL_AFTER_MS;
    for (let pauseMs = GRACE_MS; newest.size > 0; pauseMs = CLOSE_IDLE_INTERVAL_MS) {
      await delay(pauseMs);
      // What has arrived during a stall of this process is read first.
      await nextIteration();
      const isLate = performance.now() >= deadline;
      for (const [socket, response] of newest) if (isLate || !response || response.writableFinished) socket.destroy();
    }
  });
  return () => isClosing;
}

/** Stops accepting connections, and keeps the open ones. Does nothing if the server does not listen. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  // Connections that wait to be accepted would be reset.
  await nextIteration();
  // The close() of an HTTP server would also close the connections that seem idle, before their requests are read.
  Server.prototype.close.call(server);
}
