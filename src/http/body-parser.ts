import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { bodyLimitOf, MAX_PUBLIC_BODY_BYTES } from "../contract/body-limit.ts";
import { readBody } from "./body.ts";
import type { BodyBudget, BodyClaim } from "./body-budget.ts";
import { hashOf, IDEMPOTENCY_KEY_HEADER } from "./idempotency-key.ts";
import { refuseEncodings } from "./media-type.ts";
import { callerOf } from "./request-limits.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Bytes that the body takes of the budget, until the operation has ended. */
    bodyClaim?: BodyClaim;
    /** SHA-256 of the body, if the request has an Idempotency-Key. */
    bodyHash?: Buffer;
  }
}

/** Makes the server read bodies as JSON, within the limits of the operation and the budget of the process. */
export function registerBodyParser(server: FastifyInstance, bodies: BodyBudget): void {
  server.decorateRequest("bodyClaim");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", async (request: FastifyRequest, stream: IncomingMessage) => {
    refuseEncodings(request.headers);
    const { operation } = request.routeOptions.config;
    const claim = bodies.claim(callerOf(request));
    request.bodyClaim = claim;
    try {
      return await readBody(stream, {
        announcedBytes: Number(request.headers["content-length"]),
        maxBytes: operation ? bodyLimitOf(operation) : MAX_PUBLIC_BODY_BYTES,
        claim,
        onBytes: IDEMPOTENCY_KEY_HEADER in request.headers ? rememberHash(request) : undefined,
      });
    } catch (error) {
      claim.release();
      throw error;
    }
  });
}

function rememberHash(request: FastifyRequest): (bytes: Buffer) => void {
  return (bytes) => {
    request.bodyHash = hashOf(bytes);
  };
}
