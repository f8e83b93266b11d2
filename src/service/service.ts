import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { openCallerChecks } from "./authentication.ts";
import { openConnectedUsers } from "./connected-users.ts";
import { openMigratedDatabase } from "./database.ts";
import { openDocumentSync } from "./document-sync.ts";
import { openEventLogs } from "./event-logs.ts";
import { startExpiryTimers } from "./expiry.ts";
import { openFiles } from "./files.ts";
import { createFirstWorkspace, type FirstCredentials } from "./first-workspace.ts";
import { openJobQueues, startJobWorkers } from "./jobs.ts";
import { readKeys } from "./keys.ts";
import { openListener } from "./listener.ts";
import { openMailer } from "./mailer.ts";
import type { WebhookAttempts } from "./observed-poster.ts";
import { checkSecretKey } from "./secret-key-check.ts";
import { registerRoutes } from "./server.ts";
import type { StartContext } from "./start-context.ts";
import { openTelemetry } from "./telemetry.ts";
import { startWebhooks } from "./webhooks.ts";

export interface Service {
  /** Address that the service listens on, such as `http://127.0.0.1:8080`. */
  address: string;
  /** Credentials of the workspace that this start has created. They are shown once. */
  firstCredentials: FirstCredentials | undefined;
  /** Finishes the requests in progress and releases everything that the start has opened. */
  stop(): Promise<void>;
}

/** The steps of a start, in their order. Tests pass steps that fail. */
export const START_STEPS = {
  openTelemetry,
  openListener,
  openMigratedDatabase,
  readKeys,
  checkSecretKey,
  openEventLogs,
  openConnectedUsers,
  openDocumentSync,
  openCallerChecks,
  openMailer,
  openJobQueues,
  openFiles,
  startExpiryTimers,
  registerRoutes,
  startJobWorkers,
  startWebhooks,
  createFirstWorkspace,
};

/**
 * Starts the service, from the listener to the first workspace. If a step fails, everything that the steps have opened
 * is released, and the error of the step is thrown. `signal` ends waiting for the database.
 */
export async function startService(
  config: Config,
  log: Logger,
  { steps = START_STEPS, ...given }: { steps?: typeof START_STEPS } & Pick<StartContext, "signal" | "primary"> = {},
): Promise<Service> {
  const resources = new AsyncDisposableStack();
  try {
    const started = await runSteps({ config, log, resources, ...given }, steps);
    return { ...started, stop: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync().catch((err: unknown) => log.warn({ err }, "a failed start could not be cleaned up"));
    throw error;
  }
}

async function runSteps(given: StartContext, steps: typeof START_STEPS): Promise<Omit<Service, "stop">> {
  const { config, log } = given;
  const context = { ...given, telemetry: await steps.openTelemetry(given) };
  const listener = await steps.openListener(context);
  const database = await steps.openMigratedDatabase(context);
  const keys = await steps.readKeys(context);
  await steps.checkSecretKey(context, database, keys);
  const eventLogs = await steps.openEventLogs(context, database);
  const { feed, presenceData } = eventLogs;
  const connectedUsers = await steps.openConnectedUsers(context, { database, presenceData });
  const documentSync = await steps.openDocumentSync(context, { database, feed, connectedUsers });
  const checks = await steps.openCallerChecks(context, { database, keys, feed, presenceData, documentSync });
  const mailer = await steps.openMailer(context);
  const jobs = await steps.openJobQueues(context, database);
  const live = { eventLogs, connectedUsers, documentSync };
  const { address } = listener;
  const baseUrl = knownBaseUrl(config) ?? address;
  const files = await steps.openFiles(context, keys, baseUrl);
  const expiredRows = await steps.startExpiryTimers(context, database, files.store);
  const webhookAttempts: WebhookAttempts = { delivered: 0, failed: 0 };
  await steps.registerRoutes(context, {
    ...{ listener, database, keys, mailer, jobs, files, checks, webhookAttempts, expiredRows },
    ...live,
  });
  await steps.startJobWorkers(context, { jobs, mailer, files: files.store, keys, baseUrl });
  await steps.startWebhooks(context, { database, keys, jobs, webhookAttempts });
  // Runs last because the credentials are shown only by the start that creates them.
  const firstCredentials = await steps.createFirstWorkspace(context, { database, baseUrl });
  await listener.serve();
  if (!context.primary) log.info({ address }, "listening");
  return { address, firstCredentials };
}

/** Returns the base URL of links, or undefined if PORT is 0: the operating system then chooses the port. */
function knownBaseUrl({ publicUrl }: Config): string | undefined {
  return new URL(publicUrl).port === "0" ? undefined : publicUrl;
}
