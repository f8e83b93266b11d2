import { join } from "node:path";
import type { Logger } from "pino";
import packageJson from "../../package.json" with { type: "json" };
import { Cipher } from "../config/cipher.ts";
import { type Config, ConfigurationError } from "../config/config.ts";
import { readSecretKey } from "../config/secret-key.ts";
import { registerHome } from "../console/home.ts";
import { registerConsole } from "../console/serve.ts";
import { connectDatabase } from "../database/connect.ts";
import { startExpiry } from "../database/expiry.ts";
import { listen } from "../database/listen.ts";
import { isFirstStart, migrate, missingMigrations } from "../database/migrate.ts";
import { Mailer } from "../email/mailer.ts";
import { Outbox } from "../email/outbox.ts";
import { purgeDocuments } from "../features/documents/purge/job.ts";
import { createSendMail } from "../features/mails/send-mail.ts";
import { readUnsubscribeToken, unsubscribe, unsubscribeToken } from "../features/mails/unsubscribe.ts";
import { createPurgeOrganization } from "../features/organizations/purge/job.ts";
import { startPresenceExpiry } from "../features/presence/expiry.ts";
import { signInRows } from "../features/sign-in/expiry.ts";
import { createOperatorLink } from "../features/sign-in/login-link.ts";
import { createSendLoginLink } from "../features/sign-in/login-link-job.ts";
import { findReachable } from "../features/sign-in/sessions/find-reachable.ts";
import { LIFETIME_MS } from "../features/sign-in/sessions/queries.ts";
import { signIn, signOut } from "../features/sign-in/sign-in.ts";
import { createDeleteUserData } from "../features/user-data/deletion/job.ts";
import { bootstrapWorkspace } from "../features/workspaces/bootstrap.ts";
import { isHostAllowed, isHostAllowedByOwner } from "../features/workspaces/domains/domain.ts";
import { findCaller, markUsed, WORKSPACES_CHANNEL } from "../features/workspaces/queries.ts";
import { Authentication } from "../http/authentication.ts";
import { CrossOrigin } from "../http/cross-origin.ts";
import { registerDocumentation } from "../http/documentation.ts";
import { createMetrics } from "../http/metrics.ts";
import { openApiDocument } from "../http/openapi.ts";
import { PageTokens } from "../http/page-token.ts";
import { registerProbes } from "../http/probes.ts";
import { createServer } from "../http/server.ts";
import { SessionAuthentication } from "../http/session-authentication.ts";
import { SessionCookies } from "../http/session-cookies.ts";
import { registerUnsubscribePage, UNSUBSCRIBE_PATH } from "../http/unsubscribe-page.ts";
import { startJobs } from "../jobs/jobs.ts";
import { operations } from "../operations.ts";

export interface Service {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  address: string;
  /** Of the workspace that this start has made, to be shown once. */
  firstCredentials: { apiKey: string; authToken: string; signInUrl: string } | undefined;
  /** Stops accepting, finishes what runs, closes the database. */
  stop(): Promise<void>;
}

const TOKEN_USES_INTERVAL_MS = 10_000;

/**
 * Brings everything up, from the database to the open port; what has come up is taken down again when a part fails.
 * `signal` ends the waiting for the database; what is thrown then is its reason.
 */
export async function startService(config: Config, log: Logger, signal?: AbortSignal): Promise<Service> {
  const cleanUps: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  try {
    return { ...(await start({ config, log, cleanUps, signal })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(options: {
  config: Config;
  log: Logger;
  cleanUps: (() => Promise<void>)[];
  signal: AbortSignal | undefined;
}): Promise<Omit<Service, "stop">> {
  const { config, log, cleanUps, signal } = options;
  const { database, close } = await connectDatabase(config, log, "service", signal);
  cleanUps.push(close);
  const secretKey = await readSecretKey(config);
  const applied = await migrate(database.connection);
  if (applied.length > 0 && !isFirstStart(applied)) log.info({ migrations: applied }, "upgraded the database");

  const authentication = new Authentication({
    brands: config.authHeaderBrands,
    findCaller: (hashes) => findCaller(database, hashes),
    mayRemember: () => listener.isListening,
  });
  const crossOrigin = new CrossOrigin({
    publicUrl: config.publicUrl,
    brands: config.authHeaderBrands,
    isHostAllowed: (host, workspaceId) => isHostAllowed(database, host, workspaceId),
    mayRemember: () => listener.isListening,
  });
  const sessionCookies = new SessionCookies(config.publicUrl);
  const sessions = new SessionAuthentication({
    sessionCookies,
    findSession: (tokenHash, workspaceId) => findReachable(database, tokenHash, workspaceId),
    mayRemember: () => listener.isListening,
  });
  const forgetWorkspaces = () => {
    authentication.forget();
    sessions.forget();
    crossOrigin.forget();
  };
  const listener = await listen({
    connection: database.connection,
    channel: WORKSPACES_CHANNEL,
    onMessage: forgetWorkspaces,
    log,
  });
  cleanUps.push(() => listener.stop());

  const recordUses = async () => {
    await markUsed(database, "auth_tokens", authentication.uses.take());
    await markUsed(database, "sessions", sessions.uses.take());
  };
  const usesTimer = setInterval(() => {
    recordUses().catch((err: unknown) => log.warn({ err }, "the last use of tokens and sessions could not be written"));
  }, TOKEN_USES_INTERVAL_MS);
  cleanUps.push(async () => {
    clearInterval(usesTimer);
    await recordUses().catch(() => {});
  });

  const presenceExpiry = startPresenceExpiry(database, log);
  const signInExpiry = startExpiry("expired sessions and links", signInRows(database), log);
  cleanUps.push(
    () => presenceExpiry.stop(),
    () => signInExpiry.stop(),
  );

  const secrets = new Cipher(secretKey, "colloquy secrets");
  const subscriptions = new Cipher(secretKey, "colloquy mail subscriptions");
  const unsubscribeUrl = (subscription: Parameters<typeof unsubscribeToken>[1]) =>
    config.isPublicUrlSet
      ? `${config.publicUrl}${UNSUBSCRIBE_PATH}?token=${unsubscribeToken(subscriptions, subscription)}`
      : undefined;
  const { smtpUrl, mailFrom, dataDir } = config;
  const outbox = new Outbox(join(dataDir, "outbox"));
  const mailer = new Mailer({ smtpUrl, mailFrom, outbox });
  cleanUps.push(async () => mailer.close());

  const catalogue = [
    ...[createDeleteUserData(outbox), purgeDocuments, createPurgeOrganization(outbox)],
    createSendMail({ mailer, secrets, unsubscribeUrl }),
    createSendLoginLink({ mailer, secrets, baseUrl: () => startup.baseUrl }),
  ];
  const startup = { isOver: false, baseUrl: knownBaseUrl(config) };
  const jobs = await startJobs({ database, catalogue, log });
  cleanUps.push(() => jobs.stop());

  const metrics = createMetrics({ database, jobs, mailCounts: mailer.counts });
  const server = await createServer({
    operations,
    context: {
      ...{ database, jobs, mailer, secrets },
      publicUrl: config.isPublicUrlSet ? config.publicUrl : undefined,
      workspaceChanged: forgetWorkspaces,
    },
    authentication,
    sessions,
    crossOrigin,
    pageTokens: new PageTokens(secretKey),
    metrics,
    log,
    trustProxy: config.trustProxy,
    maxConcurrentRequests: config.maxConcurrentRequests,
    maxEventLoopDelayMs: config.maxEventLoopDelayMs,
    checkAnswers: config.checkAnswers,
  });
  registerProbes(server, {
    metrics,
    isReady: async () => startup.isOver && (await missingMigrations(database)).length === 0,
  });
  const { publicUrl, authHeaderBrands: brands } = config;
  registerDocumentation(server, openApiDocument({ operations, publicUrl, brands, version: packageJson.version }));
  await registerUnsubscribePage(server, {
    isToken: (token) => readUnsubscribeToken(subscriptions, token) !== undefined,
    unsubscribe: (token) => unsubscribe(database, subscriptions, token),
  });
  registerHome(server, publicUrl);
  await registerConsole(server, {
    sessionCookies,
    sessionSeconds: LIFETIME_MS / 1000,
    signIn: (given) => signIn(database, given),
    signOut: (token) => signOut(database, token),
    isHostAllowed: (host, ownerAddress) => isHostAllowedByOwner(database, host, ownerAddress),
    sessionEnded: () => sessions.forget(),
  });
  cleanUps.push(() => server.close());
  const address = await listenOn(server, config);
  startup.baseUrl ??= address;
  // After all that can stop a start: its credentials are shown once, by the start that made them.
  const credentials = await bootstrapWorkspace(database, config);
  startup.isOver = true;
  log.info({ address }, "listening");
  // What the operator has set is not shown.
  if (!credentials?.created || config.bootstrap) return { address, firstCredentials: undefined };
  const { url: signInUrl } = await createOperatorLink(database, startup.baseUrl);
  return { address, firstCredentials: { ...credentials, signInUrl } };
}

/** With PORT 0 the system chooses the port when it is listened on. */
function knownBaseUrl({ publicUrl }: Config): string | undefined {
  return new URL(publicUrl).port === "0" ? undefined : publicUrl;
}

async function listenOn(server: Awaited<ReturnType<typeof createServer>>, { port, host }: Config): Promise<string> {
  try {
    return await server.listen({ port, host });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`HOST ${host} and PORT ${port} cannot be listened on (${reason}); set another.`);
  }
}
