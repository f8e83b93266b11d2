import type { FastifyInstance } from "fastify";

const CLOSE_IDLE_INTERVAL_MS = 50;
/** Share of the 10 s that a stop may take; the rest is for the database. */
const CLOSE_ALL_AFTER_MS = 7_000;

/**
 * Makes close() wait for the answers in progress and nothing else. Connections are closed as soon as they are idle,
 * without waiting for their keep-alive timeout, and after 7 s even if they are busy.
 */
export function closeConnectionsOnClose(server: FastifyInstance): void {
  server.addHook("preClose", async () => {
    if (!server.server.listening) return;
    const closeIdle = setInterval(() => server.server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
    const closeAll = setTimeout(() => server.server.closeAllConnections(), CLOSE_ALL_AFTER_MS);
    server.server.once("close", () => {
      clearInterval(closeIdle);
      clearTimeout(closeAll);
    });
  });
}
