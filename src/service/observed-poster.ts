import { isDelivered } from "../features/webhooks/delivery/message.ts";
import type { WebhookPoster } from "../features/webhooks/delivery/sending/post.ts";
import { getErrorType, type Telemetry } from "../telemetry/telemetry.ts";

type Poster = Pick<WebhookPoster, "post">;

/** Attempts of this process to send webhooks, by what became of them. */
export type WebhookAttempts = Record<"delivered" | "failed", number>;

/** Returns a poster whose attempts are counted. */
export function countedPoster(poster: Poster, attempts: WebhookAttempts): Poster {
  return {
    async post(url, headers, body, signal) {
      const attempt = await poster.post(url, headers, body, signal);
      attempts[isDelivered(attempt) ? "delivered" : "failed"]++;
      return attempt;
    },
  };
}

/**
 * Returns a poster whose attempts are spans that the receiver can continue. Each begins a trace: a message comes from
 * the event log, by a process that need not have served the request. The URL, which belongs to a tenant, is omitted.
 */
export function tracedPoster(poster: Poster, telemetry: Telemetry): Poster {
  return {
    async post(url, headers, body, signal) {
      const attributes = { "http.request.method": "POST" };
      const span = telemetry.startTrace({ kind: "webhook", name: "webhook", attributes });
      try {
        const attempt = await span.run(() => poster.post(url, { ...headers, ...telemetry.traceContext }, body, signal));
        const { httpStatus } = attempt;
        if (httpStatus === null) span.end({}, "no_answer");
        else {
          const errorType = isDelivered(attempt) ? undefined : String(httpStatus);
          span.end({ "http.response.status_code": httpStatus }, errorType);
        }
        return attempt;
      } catch (error) {
        span.end({}, getErrorType(error));
        throw error;
      }
    },
  };
}
