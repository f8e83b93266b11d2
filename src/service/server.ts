import { statfs } from "node:fs/promises";
import type { Static } from "typebox";
import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { registerRedirects } from "../console/redirects.ts";
import { registerConsole } from "../console/serve.ts";
import type { EventReading } from "../contract/event-reading.ts";
import type { Retention } from "../contract/host.ts";
import { limitError } from "../contract/limit-error.ts";
import type { Operation } from "../contract/operation.ts";
import type { Database } from "../database/database.ts";
import { FairSemaphore } from "../database/fair-semaphore.ts";
import { DatabaseProbe } from "../database/probe.ts";
import type { Mailer } from "../email/mailer.ts";
import { findRoles } from "../features/access/find-roles.ts";
import { insertAuditEntries } from "../features/audit/audit-queries.ts";
import type { DocumentSync } from "../features/crdt/sync/document-sync.ts";
import { findEventCursor } from "../features/events/event-cursor.ts";
import { LogFollower } from "../features/events/follow.ts";
import { getEvents } from "../features/events/get.ts";
import type { EventsRequest } from "../features/events/schema.ts";
import { readStoredFiles } from "../features/files/stored-files.ts";
import { respondOnce } from "../features/idempotency/respond-once.ts";
import { readUnsubscribeToken, unsubscribe } from "../features/mails/unsubscribe.ts";
import type { ConnectedUsers } from "../features/presence/connections/connected-users.ts";
import { LIFETIME_MS } from "../features/sign-in/sessions/session-queries.ts";
import { signIn, signOut } from "../features/sign-in/sign-in.ts";
import { isHostAllowedByOwner } from "../features/workspaces/domains/domain.ts";
import { createMetrics } from "../http/metrics.ts";
import { openApiDocument } from "../http/openapi.ts";
import type { PageTokens } from "../http/page-token.ts";
import { registerProbes } from "../http/probes.ts";
import { countedUser, unknownCaller } from "../http/request-limits.ts";
import { RequestRates } from "../http/request-rates.ts";
import { traceRequests } from "../http/request-spans.ts";
import { cacheRoles } from "../http/role-cache.ts";
import { registerOpenApi } from "../http/serve-openapi.ts";
import { registerOperations } from "../http/server.ts";
import { requireTlsOfBrowsers } from "../http/strict-transport-security.ts";
import { registerUnsubscribePage } from "../http/unsubscribe-page.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { operations } from "../operations.ts";
import type { CallerChecks } from "./authentication.ts";
import { streamPresence } from "./connected-users.ts";
import { acceptSyncSockets } from "./document-sync.ts";
import type { EventLogs } from "./event-logs.ts";
import type { ExpiredRows } from "./expiry.ts";
import { acceptFiles, type Files } from "./files.ts";
import type { Keys } from "./keys.ts";
import type { Listener } from "./listener.ts";
import type { WebhookAttempts } from "./observed-poster.ts";
import { openRequestLog } from "./request-log.ts";
import type { StartContext } from "./start-context.ts";

const HOUR_MS = 60 * 60 * 1000;

interface Dependencies {
  listener: Listener;
  database: Database;
  keys: Keys;
  mailer: Mailer;
  jobs: Jobs;
  files: Files;
  checks: CallerChecks;
  eventLogs: EventLogs;
  connectedUsers: ConnectedUsers;
  documentSync: DocumentSync;
  webhookAttempts: WebhookAttempts;
  expiredRows: ExpiredRows;
}

/**
 * Adds the routes of all operations, or of those that a benchmark serves. A stop then finishes their requests before it
 * releases what they use.
 */
export async function registerRoutes(
  context: StartContext,
  dependencies: Dependencies,
  served: readonly Operation[] = operations,
): Promise<void> {
  const { config, log, resources, primary, telemetry } = context;
  const { listener, database, keys, mailer, jobs, checks, eventLogs, connectedUsers, documentSync } = dependencies;
  const { server } = listener;
  resources.defer(() => listener.close());
  // Requests that wait for events get their responses before the listener waits for its requests.
  resources.defer(() => eventLogs.feed.stop());
  requireTlsOfBrowsers(server, config);
  const probe = new DatabaseProbe(database);
  const streams = { open: 0 };
  const metrics = createMetrics({
    ...{ database, probe, jobs, documentSync, streams },
    mailCounts: mailer.counts,
    webhookAttempts: dependencies.webhookAttempts,
    keyFetches: checks.keyFetches,
    expiredRows: dependencies.expiredRows,
    overloadRejections: server.overloadRejections,
    limitRejections: server.limitRejections,
    files: { counts: dependencies.files.counts, readStored: readStoredFiles(database) },
    isWorker: primary !== undefined,
  });
  if (telemetry) {
    telemetry.exportMetrics(() => metrics.values());
    traceRequests(server, telemetry);
  }
  const reading = eventReading(config, eventLogs, keys.pageTokens);
  await registerOperations(server, {
    operations: served,
    events: {
      operation: getEvents,
      follow: (caller, request: Static<typeof EventsRequest>) =>
        new LogFollower(caller, request, { checksCaller: true }),
      opened: counted(streamPresence(connectedUsers), streams),
      limits: config.limits.streams,
    },
    context: {
      database,
      jobs,
      mailer,
      secrets: keys.secrets,
      userTokenKeys: keys.userTokens,
      files: dependencies.files.links,
      publicUrl: config.isPublicUrlSet ? config.publicUrl : undefined,
      host: {
        version: packageJson.version,
        readDisk: () => readDisk(config.dataDir),
        retention: getRetention(config),
      },
      headerPrefixes: config.authHeaderPrefixes,
      allowPrivateAddresses: config.allowPrivateAddresses,
      workspaceChanged: () => checks.caches.clear(),
      events: reading,
    },
    recordAuditEntries: insertAuditEntries,
    recordRequest: openRequestLog(context, database),
    respondOnce: (callerDatabase, request, work) =>
      respondOnce({ database: callerDatabase, secrets: keys.secrets }, request, work),
    findRoles: cacheRoles(
      (workspace, user, resources) =>
        findRoles(database.forMember(countedUser(workspace, user)), workspace, user, resources),
      config.limits.roleCacheMs,
    ),
    findEventCursor: (callerDatabase, workspace, organizationId) =>
      findEventCursor(callerDatabase, { workspace, events: reading }, organizationId),
    authentication: checks.authentication,
    sessions: checks.sessions,
    userTokens: checks.userTokens,
    crossOrigin: checks.crossOrigin,
    pageTokens: keys.pageTokens,
    metrics,
    log,
    rates: openRates(context),
    admission: new FairSemaphore(
      { ...config.limits.admission, maxPermits: config.maxConcurrentRequests, isNewestFirst: true },
      limitError("requests_in_progress", "The service is overloaded."),
    ),
    checkResponses: config.checkResponses,
  });
  const text = primary?.shareMetrics(metrics.values) ?? metrics.text;
  registerProbes(server, { metrics: { text, contentType: metrics.contentType }, check: () => probe.check() });
  await registerPages(config, dependencies);
  acceptSyncSockets(context, dependencies);
  await acceptFiles(context, dependencies);
  await server.ready();
}

/** Wraps the function that is called when a stream opens, to count the open streams too. */
function counted<Arguments extends unknown[]>(
  opened: (...stream: Arguments) => () => void,
  streams: { open: number },
): (...stream: Arguments) => () => void {
  return (...stream) => {
    const closed = opened(...stream);
    streams.open++;
    return () => {
      streams.open--;
      closed();
    };
  };
}

/** Returns what readers of the event log need. */
function eventReading(config: Config, { feed, extender, presenceData }: EventLogs, cursors: PageTokens): EventReading {
  const getScope = (workspaceId: string, organizationId: string) => ({
    workspaceId,
    path: "/v2/events",
    request: { organizationId },
  });
  return {
    retentionMs: config.eventRetentionMs,
    extendLogSoon: (workspaceId) => extender.extendSoon(workspaceId),
    presence: presenceData,
    startMs: config.limits.eventLogStartMs,
    subscribe: (key, interest) => feed.subscribe(key, interest),
    signCursor: (workspaceId, id, position) => cursors.sign(getScope(workspaceId, id), position),
    verifyCursor: (workspaceId, id, cursor) => cursors.verify(getScope(workspaceId, id), cursor),
  };
}

/** Creates the limits of rates, which workers share. */
function openRates({ config, primary, resources }: StartContext): RequestRates {
  const rates = new RequestRates(config);
  const sharing = primary?.shareRates(rates);
  resources.defer(() => sharing?.stop());
  return rates;
}

/** Adds what browsers open: the documentation, the unsubscribe web page and the console. */
async function registerPages(
  { publicUrl, authHeaderPrefixes: headerPrefixes }: Config,
  { listener: { server }, database, keys: { subscriptions }, checks }: Dependencies,
): Promise<void> {
  const { version } = packageJson;
  registerOpenApi(server, () =>
    openApiDocument({ operations, eventOperation: getEvents, publicUrl, headerPrefixes, version }),
  );
  await registerUnsubscribePage(server, {
    isToken: (token) => readUnsubscribeToken(subscriptions, token) !== undefined,
    unsubscribe: (token, clientAddress) =>
      unsubscribe(database.forMember(unknownCaller(clientAddress)), subscriptions, token),
  });
  registerRedirects(server, publicUrl);
  await registerConsole(server, {
    sessionCookies: checks.sessionCookies,
    sessionSeconds: LIFETIME_MS / 1000,
    signIn: (given) => signIn(database.forMember(unknownCaller(given.clientAddress)), given),
    signOut: (given) => signOut(database.forMember(unknownCaller(given.clientAddress)), given),
    isHostAllowed: (host, ownerAddress) => isHostAllowedByOwner(database, host, ownerAddress),
    sessionEnded: () => checks.caches.clear(),
  });
}

/** Returns for how long data is kept. */
function getRetention(config: Config): Retention {
  return {
    activityDays: config.activityRetentionDays || null,
    notificationDays: config.notificationRetentionDays || null,
    mailDays: config.mailRetentionDays,
    requestDays: config.requestRetentionDays,
    auditDays: config.auditRetentionDays,
    eventHours: config.eventRetentionMs / HOUR_MS,
  };
}

async function readDisk(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
