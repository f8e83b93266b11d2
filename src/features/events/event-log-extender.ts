import type { Logger } from "pino";
import type { Database } from "../../database/database.ts";
import { EXTENSION_SHARE } from "../event-log/listening.ts";
import { extendEventLog } from "../event-log/queries.ts";
import { selectEndingLogs } from "./queries.ts";

/** Maximum interval of looking at the logs. An editor may be opened after the log of its workspace has ended. */
const MAX_INTERVAL_MS = 10_000;

interface Dependencies {
  database: Database;
  log: Logger;
  retentionMs: number;
  /** Returns the keys of the organizations that have readers. */
  organizationKeys(): string[];
}

/** Extends the time for which event logs are written while readers wait. Readers do so only when they begin. */
export class EventLogExtender {
  readonly #dependencies: Dependencies;
  readonly #timer: NodeJS.Timeout;
  #isExtending = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    const intervalMs = Math.min(MAX_INTERVAL_MS, dependencies.retentionMs * EXTENSION_SHARE);
    this.#timer = setInterval(() => void this.#extend(), intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #extend(): Promise<void> {
    const { database, log, retentionMs, organizationKeys } = this.#dependencies;
    const keys = organizationKeys();
    if (keys.length === 0 || this.#isExtending) return;
    this.#isExtending = true;
    try {
      const now = Date.now();
      for (const id of await selectEndingLogs(database, keys, now + retentionMs * (1 - EXTENSION_SHARE)))
        await database.transaction((transaction) => extendEventLog(transaction, id, now + retentionMs));
    } catch (err) {
      log.warn({ err }, "the event logs of readers could not be extended; they will be later");
    } finally {
      this.#isExtending = false;
    }
  }
}
