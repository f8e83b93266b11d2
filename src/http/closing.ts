import type { FastifyInstance } from "fastify";

const LOOK_MS = 50;
/** Share of the 10 s that a stop may take; the rest is for the database. */
const PATIENCE_MS = 7_000;

/**
 * Lets close() wait for answers under way and for nothing else: a connection that was busy is closed once it is idle,
 * not after its keep-alive time, and one that is still busy after 7 s is cut.
 */
export function closeConnectionsOnClose(server: FastifyInstance): void {
  server.addHook("preClose", async () => {
    if (!server.server.listening) return;
    const look = setInterval(() => server.server.closeIdleConnections(), LOOK_MS);
    const cut = setTimeout(() => server.server.closeAllConnections(), PATIENCE_MS);
    server.server.once("close", () => {
      clearInterval(look);
      clearTimeout(cut);
    });
  });
}
