import type { Reason } from "../contract/errors.ts";

/** Reasons and messages of the errors that Fastify reports, by HTTP status code. */
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
