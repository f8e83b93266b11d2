import type { Logger } from "pino";
import type { EndUser } from "../../../contract/end-user.ts";
import type { PresenceSharing } from "../../../contract/presence-sharing.ts";
import type { OrganizationKey } from "../../../database/keys.ts";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { acrossOrganizations, inOrganization, storedOrganization } from "../../tenancy/organization-scope.ts";
import { type ConnectingUser, connectUsers, disconnectUsers } from "./changes.ts";
import { renewEntries, selectConnections } from "./presence-connection-queries.ts";
import { ProcessLeases } from "./process-lease.ts";

/** Interval at which the lease is renewed: a killed process is noticed 3 to 4 s later. */
const BEAT_MS = 1_000;
/** Interval at which changes that are not urgent, or could not be written, are written. */
const WRITING_MS = 500;
/** Time for which new connections are gathered. */
const GATHERING_MS = 20;
/** Time after which the entry of a connected user is renewed. It would count as offline after 10 minutes. */
const RENEWAL_MS = 120_000;
/** Maximum number of users in a transaction. */
const MAX_USERS = 500;
const MAX_TRANSACTIONS = 4;

/** The document of a connection. */
interface ConnectedDocument {
  workspaceId: string;
  organizationId: string;
  documentId: string;
}

/** A user with connections to a document at this process. */
interface Connected extends ConnectingUser {
  organization: { key: OrganizationKey; workspaceId: string; organizationId: string };
  connections: number;
  /** Whether the database has it. */
  isWritten: boolean;
  /** When the entry is renewed or, without connections, deleted. By the clock of `performance`. */
  dueAt: number;
}

interface ConnectedUsersOptions {
  presenceSharing: Pick<PresenceSharing, "remove">;
  /** Time that a client has to connect again before its user goes offline. */
  lingeringMs: number;
  renewalMs?: number;
}

type Change = "connect" | "renew" | "disconnect";

/**
 * Keeps users online in a document while they have event streams or collaborative documents of it open at any process.
 * Writes once for all connections of a user, and many users together. The last connection that closes takes its user
 * offline, and so does the end of the process that had it.
 */
export class ConnectedUsers {
  readonly #database: TransactionalQueryable;
  readonly #log: Logger;
  readonly #presenceSharing: Pick<PresenceSharing, "remove">;
  readonly #lingeringMs: number;
  readonly #renewalMs: number;
  readonly #leases: ProcessLeases;
  readonly #connected = new Map<string, Connected>();
  readonly #timers: NodeJS.Timeout[];
  #gathering: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isStopped = false;
  #writing: Promise<void> | undefined;
  #beating: Promise<void> | undefined;
  #reaping: Promise<void> | undefined;

  constructor(
    database: TransactionalQueryable,
    log: Logger,
    { presenceSharing, lingeringMs, renewalMs = RENEWAL_MS }: ConnectedUsersOptions,
  ) {
    this.#database = database;
    this.#log = log;
    this.#presenceSharing = presenceSharing;
    this.#lingeringMs = lingeringMs;
    this.#renewalMs = renewalMs;
    this.#leases = new ProcessLeases(database);
    this.#timers = [
      setInterval(() => this.#beat(), BEAT_MS).unref(),
      setInterval(() => this.#write(), WRITING_MS).unref(),
    ];
  }

  /** Adds a connection of the user to a document. Returns what ends it. */
  connect({ workspaceId, organizationId, documentId }: ConnectedDocument, user: EndUser): () => void {
    const organization = { key: organizationKey(workspaceId, organizationId), workspaceId, organizationId };
    const key = JSON.stringify([organization.key, documentId, user.userId]);
    const connected = this.#connected.get(key) ?? newConnected(organization, documentId, user);
    this.#connected.set(key, connected);
    connected.connections++;
    if (!connected.isWritten) this.#writeSoon();
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      connected.connections--;
      if (connected.connections === 0) connected.dueAt = performance.now() + this.#lingeringMs;
    };
  }

  /**
   * Leaves the connections to the processes that still run, or start: by then the clients of this one have connected to
   * another. Waits for the statements in progress.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#gathering);
    await Promise.all([this.#writing, this.#beating, this.#reaping]);
  }

  #writeSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#write();
    }, GATHERING_MS).unref();
  }

  #beat(): void {
    this.#beating ??= this.#attempt(() => this.#renewLease()).finally(() => {
      this.#beating = undefined;
    });
  }

  #write(): void {
    if (this.#isStopped || this.#connected.size === 0) return;
    this.#writing ??= this.#writeChanges().finally(() => {
      this.#writing = undefined;
    });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#isFailing = false;
    } catch (err) {
      if (!this.#isFailing) this.#log.warn({ err }, "the presence of connected users could not be written; retrying");
      this.#isFailing = true;
    }
  }

  async #renewLease(): Promise<void> {
    const { dead, isLost } = await this.#leases.renew();
    if (isLost) for (const connected of this.#connected.values()) connected.isWritten = false;
    // The lease is renewed while this takes its time.
    if (dead.length === 0 || this.#isStopped) return;
    this.#reaping ??= this.#attempt(() => this.#disconnectAll(dead)).finally(() => {
      this.#reaping = undefined;
    });
  }

  /** Deletes the connections of processes that have died. */
  async #disconnectAll(dead: string[]): Promise<void> {
    for (;;) {
      const left = await selectConnections(acrossOrganizations(this.#database), dead, MAX_USERS);
      for (const [key, users] of Map.groupBy(left, (user) => user.organizationKey)) {
        const left = await this.#database.transaction((transaction) =>
          disconnectUsers(storedOrganization(transaction, key), users, dead),
        );
        this.#presenceSharing.remove(key, left);
      }
      if (left.length < MAX_USERS || this.#isStopped) return;
    }
  }

  async #writeChanges(): Promise<void> {
    const changes = this.#dueChanges().values();
    const work = async () => {
      for (const { change, users } of changes) await this.#attempt(() => this.#writeChange(change, users));
    };
    await Promise.all(Array.from({ length: MAX_TRANSACTIONS }, work));
  }

  /**
   * Returns what is to be written, each for users of one organization. Those who are due soon are renewed together with
   * one who is due, so that an organization takes one statement a minute. Forgets users for whom nothing is written.
   */
  #dueChanges(): { change: Change; users: Connected[] }[] {
    const now = performance.now();
    const renewing = new Set<string>();
    for (const connected of this.#connected.values()) {
      if (getChange(connected, now) === "renew") renewing.add(connected.organization.key);
    }
    const groups = new Map<string, { change: Change; users: Connected[] }>();
    for (const [key, connected] of this.#connected) {
      if (connected.connections === 0 && !connected.isWritten) this.#connected.delete(key);
      const isEarlier = connected.connections > 0 && renewing.has(connected.organization.key);
      const change = getChange(connected, isEarlier ? now + this.#renewalMs / 2 : now);
      if (!change) continue;
      const name = `${change} ${connected.organization.key}`;
      const group = groups.get(name) ?? { change, users: [] };
      groups.set(name, group);
      group.users.push(connected);
    }
    return [...groups.values()].flatMap(({ change, users }) =>
      Array.from({ length: Math.ceil(users.length / MAX_USERS) }, (_, index) => ({
        ...{ change, users: users.slice(index * MAX_USERS, (index + 1) * MAX_USERS) },
      })),
    );
  }

  async #writeChange(change: Change, users: Connected[]): Promise<void> {
    const [first] = users;
    if (!first || this.#isStopped) return;
    const { key, workspaceId, organizationId } = first.organization;
    const processId = await this.#leases.processId();
    if (change === "renew") await renewEntries(storedOrganization(this.#database, key), users);
    else {
      const left = await inOrganization(this.#database, { id: workspaceId }, organizationId, async (scope) => {
        if (change === "disconnect") return disconnectUsers(scope, users, [processId]);
        await connectUsers(scope, users, processId);
        return [];
      });
      this.#presenceSharing.remove(key, left);
    }
    for (const connected of users) {
      // Others delete what was written for a process that they count as dead.
      if (change === "connect") connected.isWritten = this.#leases.isOwn(processId);
      if (change === "disconnect") connected.isWritten = false;
      if (connected.connections > 0) connected.dueAt = performance.now() + this.#renewalMs;
    }
  }
}

function newConnected(
  organization: Connected["organization"],
  documentId: string,
  { userId, name, email }: EndUser,
): Connected {
  return {
    ...{ organization, documentId, userId, connections: 0, isWritten: false, dueAt: 0 },
    name: name === undefined ? null : JSON.stringify(name),
    email: email === undefined ? null : JSON.stringify(email),
  };
}

function getChange({ connections, isWritten, dueAt }: Connected, now: number): Change | undefined {
  if (connections > 0 && !isWritten) return "connect";
  if (!isWritten || dueAt > now) return undefined;
  return connections > 0 ? "renew" : "disconnect";
}
