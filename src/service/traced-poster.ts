import type { WebhookPoster } from "../features/webhooks/delivery/sending/post.ts";
import { errorTypeOf, type Telemetry } from "../telemetry/telemetry.ts";

type Poster = Pick<WebhookPoster, "post">;

/** HTTP status from which an attempt has failed. */
const FIRST_ERROR_STATUS = 300;

/**
 * Returns a poster whose attempts are spans that the receiver can continue. Each begins a trace: a message comes from the
 * event log, by a process that need not have served the request. The URL belongs to a tenant and is no attribute.
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
          const errorType = httpStatus < FIRST_ERROR_STATUS ? undefined : String(httpStatus);
          span.end({ "http.response.status_code": httpStatus }, errorType);
        }
        return attempt;
      } catch (error) {
        span.end({}, errorTypeOf(error));
        throw error;
      }
    },
  };
}
