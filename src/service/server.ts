import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { registerHome } from "../console/home.ts";
import { registerConsole } from "../console/serve.ts";
import type { Database } from "../database/database.ts";
import { DatabaseProbe } from "../database/probe.ts";
import type { Mailer } from "../email/mailer.ts";
import { insertActs } from "../features/audit/queries.ts";
import { readUnsubscribeToken, unsubscribe } from "../features/mails/unsubscribe.ts";
import { LIFETIME_MS } from "../features/sign-in/sessions/queries.ts";
import { signIn, signOut } from "../features/sign-in/sign-in.ts";
import { isHostAllowedByOwner } from "../features/workspaces/domains/domain.ts";
import { Admission } from "../http/admission.ts";
import { registerDocumentation } from "../http/documentation.ts";
import { createMetrics } from "../http/metrics.ts";
import { openApiDocument } from "../http/openapi.ts";
import { registerProbes } from "../http/probes.ts";
import { createServer, registerOperations } from "../http/server.ts";
import { requireTlsOfBrowsers } from "../http/strict-transport-security.ts";
import { registerUnsubscribePage } from "../http/unsubscribe-page.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { operations } from "../operations.ts";
import type { CallerChecks } from "./authentication.ts";
import type { Keys } from "./keys.ts";
import type { StartContext } from "./start-context.ts";

type Server = ReturnType<typeof createServer>;

interface Dependencies {
  database: Database;
  keys: Keys;
  mailer: Mailer;
  jobs: Jobs;
  checks: CallerChecks;
  /** Tells `/readyz` whether the start is complete. */
  readiness: { isReady: boolean };
}

/** Starts the HTTP server. Returns the address that it listens on. */
export async function startServer(context: StartContext, dependencies: Dependencies): Promise<string> {
  const { config, log, resources } = context;
  const { database, keys, mailer, jobs, checks, readiness } = dependencies;
  const server = createServer(config);
  resources.defer(() => server.close());
  requireTlsOfBrowsers(server, config.publicUrl);
  const metrics = createMetrics({ database, jobs, mailCounts: mailer.counts });
  await registerOperations(server, {
    operations,
    context: {
      database,
      jobs,
      mailer,
      secrets: keys.secrets,
      publicUrl: config.isPublicUrlSet ? config.publicUrl : undefined,
      brands: config.authHeaderBrands,
      workspaceChanged: () => checks.caches.clear(),
    },
    recordActs: insertActs,
    authentication: checks.authentication,
    sessions: checks.sessions,
    crossOrigin: checks.crossOrigin,
    pageTokens: keys.pageTokens,
    metrics,
    log,
    requestsPerSecond: config.requestsPerSecond,
    admission: new Admission({ ...config.limits.admission, maxRunning: config.maxConcurrentRequests }),
    checkAnswers: config.checkAnswers,
  });
  const probe = new DatabaseProbe(database);
  registerProbes(server, {
    metrics,
    check: async () => (readiness.isReady ? probe.check() : { reading: "starting", writing: "starting" }),
  });
  await registerPages(server, config, dependencies);
  return listenOn(server, config);
}

/** Adds what browsers open: the documentation, the unsubscribe page and the console. */
async function registerPages(
  server: Server,
  { publicUrl, authHeaderBrands: brands }: Config,
  { database, keys: { subscriptions }, checks }: Dependencies,
): Promise<void> {
  registerDocumentation(server, openApiDocument({ operations, publicUrl, brands, version: packageJson.version }));
  await registerUnsubscribePage(server, {
    isToken: (token) => readUnsubscribeToken(subscriptions, token) !== undefined,
    unsubscribe: (token) => unsubscribe(database, subscriptions, token),
  });
  registerHome(server, publicUrl);
  await registerConsole(server, {
    sessionCookies: checks.sessionCookies,
    sessionSeconds: LIFETIME_MS / 1000,
    signIn: (given) => signIn(database, given),
    signOut: (given) => signOut(database, given),
    isHostAllowed: (host, ownerAddress) => isHostAllowedByOwner(database, host, ownerAddress),
    sessionEnded: () => checks.caches.clear(),
  });
}

async function listenOn(server: Server, { port, host }: Config): Promise<string> {
  try {
    return await server.listen({ port, host });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `Cannot listen on HOST ${host} and PORT ${port} (${reason}). Set another PORT or HOST.`,
    );
  }
}
