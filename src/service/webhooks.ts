import { randomUUID } from "node:crypto";
import type { Database } from "../database/database.ts";
import { WebhookPoster } from "../features/webhooks/delivery/sending/post.ts";
import { WebhookWorker } from "../features/webhooks/delivery/worker.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { OutgoingConnections } from "../outgoing/connections.ts";
import type { Keys } from "./keys.ts";
import { countedPoster, tracedPoster, type WebhookAttempts } from "./observed-poster.ts";
import type { StartContext } from "./start-context.ts";

/** Starts to send events to webhooks. */
export async function startWebhooks(
  { config, log, resources, telemetry }: StartContext,
  given: { database: Database; keys: Keys; jobs: Jobs; webhookAttempts: WebhookAttempts },
): Promise<void> {
  const { database, keys, jobs, webhookAttempts } = given;
  const connections = new OutgoingConnections(config);
  resources.defer(() => connections.close());
  const { secrets } = keys;
  const counted = countedPoster(new WebhookPoster(connections), webhookAttempts);
  const worker = new WebhookWorker({
    ...{ database, secrets, jobs, log },
    poster: telemetry ? tracedPoster(counted, telemetry) : counted,
    processId: randomUUID(),
    pollMs: config.limits.webhookPollMs,
  });
  resources.defer(() => worker.stop());
}
