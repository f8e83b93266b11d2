import type { Reason } from "../contract/errors.ts";

/** Errors that Fastify reports by an HTTP code, and what callers are told. */
export const HTTP_ERRORS: ReadonlyMap<number, { reason: Reason; message: string }> = new Map([
  [413, { reason: "body_too_large", message: "The body is too large." }],
  [
    415,
    {
      reason: "media_type_unsupported",
      message: "The body must be sent with the header Content-Type: application/json.",
    },
  ],
]);
