import type { Logger } from "pino";
import type { Database } from "../../database/database.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import { extendEventLog } from "../event-log/event-log-queries.ts";
import { EXTENSION_SHARE } from "../event-log/listening.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { selectEndingLogs } from "./event-queries.ts";

/** Maximum interval of looking at the logs. A document may be opened for sync after the log of its workspace ended. */
const MAX_INTERVAL_MS = 10_000;

interface Dependencies {
  database: Database;
  log: Logger;
  retentionMs: number;
  /** Returns the keys of the organizations that have readers. */
  organizationKeys(): OrganizationKey[];
}

/**
 * Extends the time until which event logs are written, for those who listen now and then, and while readers wait, who
 * ask for it only when they begin. What fails is tried again.
 */
export class EventLogExtender {
  readonly #dependencies: Dependencies;
  readonly #timer: NodeJS.Timeout;
  /** Workspaces whose logs are to be extended. */
  readonly #due = new Set<string>();
  #isExtending = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    const intervalMs = Math.min(MAX_INTERVAL_MS, dependencies.retentionMs * EXTENSION_SHARE);
    this.#timer = setInterval(() => void this.#extend(), intervalMs).unref();
  }

  /** Extends the log of a workspace within the interval. */
  extendSoon(workspaceId: string): void {
    this.#due.add(workspaceId);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #extend(): Promise<void> {
    if (this.#isExtending) return;
    this.#isExtending = true;
    try {
      await this.#addEndingLogs();
      for (const id of this.#due) {
        const until = Date.now() + this.#dependencies.retentionMs;
        await this.#dependencies.database.transaction((transaction) => extendEventLog(transaction, id, until));
        this.#due.delete(id);
      }
    } catch (err) {
      this.#dependencies.log.warn({ err }, "event logs with listeners could not be extended; they will be later");
    } finally {
      this.#isExtending = false;
    }
  }

  /** Adds the workspaces whose readers wait. */
  async #addEndingLogs(): Promise<void> {
    const { database, retentionMs, organizationKeys } = this.#dependencies;
    const keys = organizationKeys();
    if (keys.length === 0) return;
    const ending = await selectEndingLogs(
      acrossOrganizations(database),
      keys,
      Date.now() + retentionMs * (1 - EXTENSION_SHARE),
    );
    for (const id of ending) this.#due.add(id);
  }
}
