import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { getBodyLimit, MAX_PUBLIC_BODY_BYTES } from "../contract/body-limit.ts";
import type { BodyBudget, BodyClaim } from "./body-budget.ts";
import { computeHash, IDEMPOTENCY_KEY_HEADER } from "./idempotency-key.ts";
import { rejectEncodings } from "./media-type.ts";
import { parseArrivedBody, readBody, takeArrivedBody } from "./read-body.ts";
import { countedCaller } from "./request-limits.ts";

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
  server.addContentTypeParser("application/json", (request: FastifyRequest, stream: IncomingMessage, done) => {
    const { headers } = request;
    rejectEncodings(headers);
    const contentLength = Number(headers["content-length"]);
    const onBytes = IDEMPOTENCY_KEY_HEADER in headers ? rememberHash(request) : undefined;
    const arrived = takeArrivedBody(stream, contentLength);
    if (arrived) {
      onBytes?.(arrived);
      return done(null, parseArrivedBody(arrived));
    }
    const { operation } = request.routeOptions.config;
    const claim = bodies.claim(countedCaller(request));
    request.bodyClaim = claim;
    const maxBytes = operation ? getBodyLimit(operation) : MAX_PUBLIC_BODY_BYTES;
    readBody(stream, { contentLength, maxBytes, claim, onBytes }).then(
      (body) => done(null, body),
      (error) => {
        claim.release();
        done(error);
      },
    );
  });
}

function rememberHash(request: FastifyRequest): (bytes: Buffer) => void {
  return (bytes) => {
    request.bodyHash = computeHash(bytes);
  };
}
