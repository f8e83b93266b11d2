import type { Logger } from "pino";
import type { TransactionalQueryable } from "../../../database/statement.ts";
import { acrossOrganizations, storedOrganization } from "../../tenancy/organization-scope.ts";
import { reportChanges, selectUnreported } from "./crdt-report-queries.ts";

const POLL_MS = 1_000;
/** Maximum number of collaborative documents that are reported in one poll. */
const MAX_DOCUMENTS = 500;

interface Dependencies {
  database: TransactionalQueryable;
  log: Logger;
  /** Time from the first change of a collaborative document to the event that reports its changes. */
  reportMs: number;
}

/**
 * Writes an event for each collaborative document that has changed: at most one in the time given. Any process reports
 * the changes of all, so that none is lost with a process that dies.
 */
export class ChangeReporter {
  readonly #dependencies: Dependencies;
  readonly #poll: NodeJS.Timeout;
  #reporting: Promise<void> | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#poll = setInterval(() => {
      this.#reporting ??= this.#report().finally(() => {
        this.#reporting = undefined;
      });
    }, POLL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#poll);
    await this.#reporting;
  }

  async #report(): Promise<void> {
    const { database, log, reportMs } = this.#dependencies;
    try {
      const found = await selectUnreported(acrossOrganizations(database), reportMs, MAX_DOCUMENTS);
      for (const [key, documents] of Map.groupBy(found, ({ organizationKey }) => organizationKey)) {
        await database.transaction((transaction) => reportChanges(storedOrganization(transaction, key), documents));
      }
    } catch (err) {
      log.warn({ err }, "changes of collaborative documents could not be reported; the next poll tries again");
    }
  }
}
