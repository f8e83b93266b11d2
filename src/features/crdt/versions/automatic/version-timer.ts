import type { Logger } from "pino";
import type { TransactionalQueryable } from "../../../../database/statement.ts";
import { acrossOrganizations, transactionalOrganization } from "../../../tenancy/organization-scope.ts";
import type { QualifiedDocumentRef } from "../../collaborative-document-ref.ts";
import { compactUpdates } from "../../stored/compact.ts";
import { addAutomaticVersion } from "./add-automatic-version.ts";
import { claimDue, endClaim, selectDue } from "./edit-queries.ts";

/** Maximum number of versions that are added in one poll. */
const MAX_DOCUMENTS = 100;

interface Dependencies {
  database: TransactionalQueryable;
  log: Logger;
  pollMs: number;
}

/**
 * Adds automatic versions of collaborative documents that are due. Any process adds those of all, so that none is lost
 * with a process that dies, and one timer serves all documents.
 */
export class VersionTimer {
  readonly #dependencies: Dependencies;
  readonly #poll: NodeJS.Timeout;
  #isStopped = false;
  #adding: Promise<void> | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#poll = setInterval(() => {
      this.#adding ??= this.#addAll().finally(() => {
        this.#adding = undefined;
      });
    }, dependencies.pollMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#poll);
    await this.#adding;
  }

  async #addAll(): Promise<void> {
    const { database, log } = this.#dependencies;
    try {
      for (const document of await selectDue(acrossOrganizations(database), MAX_DOCUMENTS)) {
        if (this.#isStopped) return;
        await addDueVersion(database, document).catch((err: unknown) =>
          log.warn({ err }, "an automatic version could not be added; it will be tried again"),
        );
      }
    } catch (err) {
      log.warn({ err }, "edited documents could not be read; they will be read again");
    }
  }
}

/** Adds the automatic version of a document that is due, unless another process does. */
export async function addDueVersion(
  database: TransactionalQueryable,
  { organizationKey, ...document }: QualifiedDocumentRef,
): Promise<void> {
  const organization = transactionalOrganization(database, organizationKey);
  if (!(await claimDue(organization, document))) return;
  await compactUpdates(organization, document);
  await organization.transaction(async (scope) => {
    await endClaim(scope, document);
    await addAutomaticVersion(scope, document);
  });
}
