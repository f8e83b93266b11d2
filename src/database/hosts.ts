import querystring from "node:querystring";
import type pg from "pg";
import { describeReason, withBriefConnection } from "./brief-connection.ts";
import { getRejection, NoPrimaryError } from "./database-errors.ts";

/** Time that a host has to connect, and to respond. */
const LIMIT_MS = 2_000;

/** A host of DATABASE_URL that can be written. */
export interface Primary {
  connection: pg.ClientConfig;
  /** Hexadecimal number that each promotion raises; undefined for the only host. */
  timeline?: string;
  /** Identifier that a primary has in common with its standbys. */
  cluster?: string;
}

/** What a host has responded. */
export interface HostState {
  connection: pg.ClientConfig;
  /** Set if it is not a standby. */
  primary?: Required<Primary>;
  /** Why it has not responded. */
  error?: unknown;
}

/** Selects no timeline on a standby, which replays that of its primary. */
const SELECT_ROLE = `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end
  as timeline, (select system_identifier::text from pg_control_system()) as cluster`;

/** Asks all hosts at the same time. */
export function readHosts(connections: readonly pg.ClientConfig[], signal?: AbortSignal): Promise<HostState[]> {
  return Promise.all(
    connections.map((connection) =>
      withBriefConnection(connection, { limitMs: LIMIT_MS, signal }, async (client) => {
        const { rows } = await client.query<{ timeline: string | null; cluster: string }>(SELECT_ROLE);
        const { timeline = null, cluster = "" } = rows[0] ?? {};
        return { connection, ...(timeline !== null && { primary: { connection, timeline, cluster } }) };
      }).catch((error: unknown) => ({ connection, error })),
    ),
  );
}

/**
 * Returns the host that is not a standby. If a former primary runs beside the promoted one, that is the one whose
 * timeline is newest: what the other has written since is lost. Throws if there is none.
 */
export async function findPrimary(connections: readonly pg.ClientConfig[], signal?: AbortSignal): Promise<Primary> {
  const [only] = connections;
  if (only && connections.length === 1) return { connection: only };
  const states = await readHosts(connections, signal);
  signal?.throwIfAborted();
  const primaries = states.flatMap(({ primary }) => primary ?? []);
  if (new Set(primaries.map(({ cluster }) => cluster)).size > 1) {
    throw new NoPrimaryError(`${primaries.map(getAddress).join(" and ")} do not replicate each other`);
  }
  const [newest] = primaries.toSorted((a, b) => b.timeline.localeCompare(a.timeline));
  if (newest) return newest;
  const rejected = states.find(({ error }) => getRejection(error) !== undefined);
  throw rejected?.error ?? new NoPrimaryError(`no host is a primary: ${states.map(describeHost).join("; ")}`);
}

/**
 * Returns whether the service may go on with a primary that it has found. Returns false for a former one, and for one
 * of another cluster, either of which may respond while the current one is away.
 */
export function isSuccessor({ cluster, timeline = "" }: Primary, current: Primary): boolean {
  return current.cluster === undefined || (cluster === current.cluster && timeline >= (current.timeline ?? ""));
}

/** Returns what a host is, in words. */
export function describeHost(state: HostState): string {
  const address = getAddress(state);
  if (state.error !== undefined) return `${address} does not respond (${describeReason(state.error)})`;
  return `${address} is ${state.primary ? "the primary" : "a standby"}`;
}

/** Returns host and port for logs, without user and password. */
export function getAddress({ connection }: { connection: pg.ClientConfig }): string {
  const url = new URL(connection.connectionString ?? "");
  return url.searchParams.get("host") ?? (querystring.unescape(url.host) || "localhost");
}
