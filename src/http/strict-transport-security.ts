import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Makes browsers reach this host only over TLS from now on (RFC 6797). Browsers ignore the header in a response that
 * did not come over TLS. Only the host itself is named: the service does not know what its subdomains serve.
 */
export function requireTlsOfBrowsers(
  server: FastifyInstance,
  { publicUrl, trustProxy }: Pick<Config, "publicUrl" | "trustProxy">,
): void {
  const isPublicByTls = publicUrl.startsWith("https:");
  // Only a trusted proxy can say that a request came over TLS.
  if (!isPublicByTls && trustProxy === false) return;
  server.addHook("onRequest", (request, reply, done) => {
    if (isPublicByTls || request.protocol === "https") {
      reply.header("strict-transport-security", `max-age=${ONE_YEAR_SECONDS}`);
    }
    done();
  });
}
