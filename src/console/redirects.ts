import type { FastifyInstance } from "fastify";
import { getQuery } from "../http/query.ts";

/**
 * Adds GET /, which redirects browsers to the console, and GET /docs, which redirects everybody to its API reference
 * with the query, which may name an operation. Other callers of / get the response of an unknown path.
 */
export function registerRedirects(server: FastifyInstance, publicUrl: string): void {
  // PUBLIC_URL has a path if a proxy serves the service below one.
  const console = `${new URL(publicUrl).pathname.replace(/\/$/, "")}/console`;
  server.get("/", (request, reply) => {
    reply.header("vary", "accept");
    if (!request.headers.accept?.includes("text/html")) return reply.callNotFound();
    return reply.redirect(console);
  });
  server.get("/docs", (request, reply) => reply.redirect(`${console}/api${getQuery(request.url)}`));
}
