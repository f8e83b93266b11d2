import type { FastifyInstance } from "fastify";

/** Adds GET /, which redirects browsers to the console. Other callers get the response of an unknown path. */
export function registerHome(server: FastifyInstance, publicUrl: string): void {
  // PUBLIC_URL has a path if a proxy serves the service below one.
  const console = `${new URL(publicUrl).pathname.replace(/\/$/, "")}/console`;
  server.get("/", (request, reply) => {
    reply.header("vary", "accept");
    if (!request.headers.accept?.includes("text/html")) return reply.callNotFound();
    return reply.redirect(console);
  });
}
