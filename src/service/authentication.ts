import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import { listen } from "../database/listen.ts";
import { CRDT_CHANNEL } from "../features/crdt/stored/crdt-update-queries.ts";
import type { DocumentSync } from "../features/crdt/sync/document-sync.ts";
import { EVENTS_CHANNEL } from "../features/events/channel.ts";
import type { EventFeed } from "../features/events/feed.ts";
import type { PresenceData } from "../features/presence/data/presence-data.ts";
import { PRESENCE_CHANNEL } from "../features/presence/data/presence-data-queries.ts";
import { findReachable } from "../features/sign-in/sessions/find-reachable.ts";
import { userKey } from "../features/tenancy/organization-key.ts";
import { findUserTokenCaller } from "../features/user-tokens/user-token-queries.ts";
import { findRevokedToken } from "../features/workspaces/auth-tokens/auth-token-queries.ts";
import { hashCredential } from "../features/workspaces/credentials.ts";
import { isHostAllowed } from "../features/workspaces/domains/domain.ts";
import { findCaller, markUsed, WORKSPACES_CHANNEL } from "../features/workspaces/workspace-queries.ts";
import { Authentication } from "../http/authentication.ts";
import { CrossOrigin } from "../http/cross-origin.ts";
import { LookupCaches } from "../http/lookup-cache.ts";
import { unknownCaller } from "../http/request-limits.ts";
import { SessionAuthentication } from "../http/session-authentication.ts";
import { SessionCookies } from "../http/session-cookies.ts";
import { UserTokenAuthentication } from "../http/user-token-authentication.ts";
import { WrongCredentials } from "../http/wrong-credentials.ts";
import type { Keys } from "./keys.ts";
import type { StartContext } from "./start-context.ts";
import { openTokenIssuers } from "./token-issuers.ts";

/** The checks that decide who may call. */
export interface CallerChecks {
  authentication: Authentication;
  sessions: SessionAuthentication;
  userTokens: UserTokenAuthentication;
  sessionCookies: SessionCookies;
  crossOrigin: CrossOrigin;
  /** Fetches of the signing keys of token issuers, by what became of them. */
  keyFetches: Readonly<Record<string, number>>;
  /** Caches of the checks, cleared when a workspace, token, session or domain changes. */
  caches: LookupCaches;
}

const LAST_USES_INTERVAL_MS = 10_000;

/** Creates the checks, listens for changes made by other processes, and records the last use of tokens and sessions. */
export async function openCallerChecks(
  context: StartContext,
  {
    database,
    keys,
    feed,
    presenceData,
    documentSync,
  }: {
    database: Database;
    keys: Keys;
    feed: EventFeed;
    presenceData: PresenceData;
    documentSync: DocumentSync;
  },
): Promise<CallerChecks> {
  const { config, log, resources } = context;
  const { publicUrl, authHeaderPrefixes: headerPrefixes } = config;
  const caches = new LookupCaches();
  const wrongCredentials = new WrongCredentials(config.limits.wrongCredentials);
  const sessionCookies = new SessionCookies(publicUrl);
  /** Returns the database for lookups by which a caller becomes known. Client addresses take turns. */
  const before = (clientAddress: string) => database.forMember(unknownCaller(clientAddress));
  const authentication = new Authentication({
    headerPrefixes,
    caches,
    wrongCredentials,
    findCaller: (hashes, clientAddress) => findCaller(before(clientAddress), hashes),
    findRevokedToken: (workspaceId, authTokenHash, clientAddress) =>
      findRevokedToken(before(clientAddress), workspaceId, authTokenHash),
  });
  const sessions = new SessionAuthentication({
    sessionCookies,
    caches,
    wrongCredentials,
    findSession: (tokenHash, workspaceId, clientAddress) =>
      findReachable(before(clientAddress), tokenHash, workspaceId),
  });
  const tokenIssuers = openTokenIssuers(context, { caches, before });
  const userTokens = new UserTokenAuthentication({
    keys: keys.userTokens,
    caches,
    wrongCredentials,
    findCaller: (apiKey, userId, clientAddress) =>
      findUserTokenCaller(before(clientAddress), { apiKeyHash: hashCredential(apiKey), userKey: userKey(userId) }),
    verifyIssuerToken: tokenIssuers.verify,
  });
  const crossOrigin = new CrossOrigin({
    publicUrl,
    headerPrefixes,
    caches,
    isHostAllowed: (host, workspaceId, clientAddress) => isHostAllowed(before(clientAddress), host, workspaceId),
  });
  const listener = await listen({
    database,
    channels: {
      [WORKSPACES_CHANNEL]: () => {
        caches.clear();
        feed.recheckCallers();
      },
      [EVENTS_CHANNEL]: (payload) => feed.receive(payload),
      [PRESENCE_CHANNEL]: (payload) => presenceData.receive(payload),
      [CRDT_CHANNEL]: (payload) => documentSync.receive(payload),
    },
    onListening: (isListening) => {
      caches.setEnabled(isListening);
      feed.recheckCallers();
    },
    log,
  });
  resources.defer(() => listener.stop());
  const lastUses = recordLastUses(database, { authentication, sessions }, log);
  resources.defer(() => lastUses.stop());
  const { keyFetches } = tokenIssuers;
  return { authentication, sessions, userTokens, sessionCookies, crossOrigin, keyFetches, caches };
}

/** Writes the last uses every 10 seconds, and once more when stopped. */
function recordLastUses(
  database: Database,
  { authentication, sessions }: Pick<CallerChecks, "authentication" | "sessions">,
  log: Logger,
): { stop(): Promise<void> } {
  async function record(): Promise<void> {
    try {
      await authentication.uses.flush((uses) => markUsed(database, "auth_tokens", uses));
      await sessions.uses.flush((uses) => markUsed(database, "sessions", uses));
    } catch (err) {
      log.warn({ err }, "the last use of tokens and sessions could not be written");
    }
  }
  const timer = setInterval(record, LAST_USES_INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      return record();
    },
  };
}
