import type { Connection } from "@hocuspocus/server";
import type { Logger } from "pino";
import { getEnds, includesRole } from "../../../contract/end-user.ts";
import { ServiceError } from "../../../contract/errors.ts";
import type { EventReading, EventSubscription } from "../../../contract/event-reading.ts";
import type { OrganizationKey } from "../../../database/keys.ts";
import type { Queryable } from "../../../database/statement.ts";
import { selectPosition } from "../../event-log/event-log-queries.ts";
import { storedOrganization } from "../../tenancy/organization-scope.ts";
import { authorize, getErrorReason, POLICY_VIOLATION, type SyncContext } from "./sync-caller.ts";

/** Interval at which the checks that are due are made. Lost access must take effect within about a second. */
const CHECK_MS = 250;
/** Time after which a subscription waits again. */
const WAIT_MS = 60_000;
const MAX_CHECKS_IN_PROGRESS = 4;
const UNVERIFIABLE = "token_issuer_unavailable";
/** Close code for a client that should connect again, with its new role or another token (service restart). */
const RECONNECT = 1012;

interface Dependencies {
  database: Queryable;
  log: Logger;
  subscribe: EventReading["subscribe"];
  /** Returns the open connections. */
  connections(): Connection<SyncContext>[];
  /** Returns the keys of the organizations with documents in memory. */
  organizations(): ReadonlySet<OrganizationKey>;
  /** Called when users of an organization may have lost access. */
  accessChanged(organizationKey: OrganizationKey): void;
  /** Called before the connection of a user who has lost access is closed. */
  accessLost(connection: Connection<SyncContext>): void;
}

/**
 * Closes the connections of users who have lost access or have another role. One
 * subscription to the event log of an organization serves all of its connections; tokens and grants have known ends.
 */
export class AccessChecks {
  readonly #dependencies: Dependencies;
  readonly #watched = new Map<OrganizationKey, EventSubscription>();
  /** Keys of the organizations in which access may have been lost since the last check. */
  #suspects = new Set<OrganizationKey>();
  /** Connections that have been open at a check. Access may have been lost while the document of another was loaded. */
  readonly #known = new WeakSet<Connection<SyncContext>>();
  readonly #timer: NodeJS.Timeout;
  #checkedAt = Date.now();
  #isChecking = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#timer = setInterval(() => void this.#checkDue(), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#watchAll(new Set());
  }

  async #checkDue(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      await this.#checkAllDue();
    } catch (err) {
      this.#dependencies.log.warn({ err }, "the access of connections could not be checked; it will be checked again");
    } finally {
      this.#isChecking = false;
    }
  }

  async #checkAllDue(): Promise<void> {
    const connections = this.#dependencies.connections().filter(({ context }) => context.organizationKey !== undefined);
    this.#watchAll(this.#dependencies.organizations());
    const suspects = this.#suspects;
    this.#suspects = new Set();
    const [since, now] = [this.#checkedAt, Date.now()];
    this.#checkedAt = now;
    const isDue = (connection: Connection<SyncContext>) => {
      const { context } = connection;
      return (
        !this.#known.has(connection) ||
        (context.organizationKey !== undefined && suspects.has(context.organizationKey)) ||
        endsWithin(context, since, now)
      );
    };
    const due = connections.filter(isDue).values();
    for (const connection of connections) this.#known.add(connection);
    const work = async () => {
      for (const connection of due) await this.#check(connection);
    };
    await Promise.all(Array.from({ length: MAX_CHECKS_IN_PROGRESS }, work));
  }

  /** Begins to watch organizations with connections, and ends to watch those without. */
  #watchAll(keys: ReadonlySet<OrganizationKey>): void {
    for (const [key, subscription] of this.#watched) {
      if (keys.has(key)) continue;
      this.#watched.delete(key);
      subscription.end();
    }
    for (const key of keys) {
      if (this.#watched.has(key)) continue;
      const subscription = this.#dependencies.subscribe(key, {
        documentIds: [],
        inbox: false,
        activities: false,
        kinds: ["access.update"],
        userId: undefined,
      });
      this.#watched.set(key, subscription);
      void this.#watch(key, subscription);
    }
  }

  /** Schedules a check of the organization's connections now and after each change of access. */
  async #watch(key: OrganizationKey, subscription: EventSubscription): Promise<void> {
    const { database, log, accessChanged } = this.#dependencies;
    try {
      let position = await selectPosition(storedOrganization(database, key));
      // The subscription does not report changes before this position.
      this.#suspects.add(key);
      accessChanged(key);
      while (this.#watched.get(key) === subscription) {
        const from = position;
        await new Promise<void>((wake) => subscription.wait(from, WAIT_MS, wake));
        const wakeup = subscription.take();
        position = wakeup.position;
        if (wakeup.reason === "ended") return;
        // The events themselves come too early: roles are cached, and a check is due once no process has old ones.
        if (wakeup.reason !== "accessCheckDue" && wakeup.reason !== "behind") continue;
        this.#suspects.add(key);
        accessChanged(key);
      }
    } catch (err) {
      log.warn({ err }, "changes of access could not be watched; they will be looked for again");
      if (this.#watched.get(key) === subscription) this.#watched.delete(key);
      subscription.end();
    }
  }

  /**
   * Closes a connection whose user has lost access or has another role. If that fails, or the service cannot tell, it
   * is checked again.
   */
  async #check(connection: Connection<SyncContext>): Promise<void> {
    const { token, ref, organizationKey } = connection.context;
    if (token === undefined || !ref || organizationKey === undefined) return;
    let reason: string | undefined;
    try {
      const { role } = await authorize(connection.context, token, ref);
      const isReadOnly = !includesRole(role, "editor");
      // A connection is read-only once an update of its client was rejected, and closed.
      if (connection.readOnly === isReadOnly || !connection.document.hasConnection(connection)) return;
      // A client learns its role when it connects. It then sends the rejected updates, which later ones need.
      connection.readOnly = true;
      connection.context.socket.close(RECONNECT, "role_changed");
      return;
    } catch (error) {
      reason = getErrorReason(error) ?? getUnverifiableReason(error);
    }
    try {
      if (reason === undefined) return void this.#suspects.add(organizationKey);
      this.#dependencies.accessLost(connection);
      // Hocuspocus still processes the messages that it has received.
      connection.readOnly = true;
      // Providers ask for another token only for another socket.
      if (reason === "user_token_expired" || reason === UNVERIFIABLE)
        connection.context.socket.close(RECONNECT, reason);
      else connection.close({ code: POLICY_VIOLATION, reason });
    } catch (err) {
      this.#dependencies.log.warn({ err }, "a connection could not be closed; it will be checked again");
      this.#suspects.add(organizationKey);
    }
  }
}

/** Returns the reason if a token cannot be verified any more, by which its connection must not stay open. */
function getUnverifiableReason(error: unknown): string | undefined {
  return error instanceof ServiceError && error.reason === UNVERIFIABLE ? UNVERIFIABLE : undefined;
}

/** Returns whether the token, or a grant that it carries, ends in a span of time. */
function endsWithin({ user }: SyncContext, since: number, until: number): boolean {
  return user !== undefined && getEnds(user).some((end) => end > since && end <= until);
}
