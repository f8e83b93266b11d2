import { type Reason, ServiceError } from "../../contract/errors.ts";
import type { Workspace } from "../../contract/operation.ts";
import type { TransactionalQueryable } from "../../database/statement.ts";
import { updateDocumentDisableState } from "../documents/access-disablestate-update.ts";
import { updateDisableState } from "../organizations/access-disablestate-update.ts";
import { DeferredDisabling } from "./deferred-disabling.ts";
import type { Batch, ImportContext, ImportKind, Outcome } from "./import-kind.ts";
import { OperationRunner } from "./operation-runner.ts";
import { splitIntoChunks } from "./split-into-chunks.ts";

/** Record that its kind's schema has accepted. */
export interface ImportedRecord {
  /** Empty if records of the kind belong to no organization. */
  organizationId: string;
  documentId: string | undefined;
  folderId: string | undefined;
  item: object;
}

/** Maximum numbers of organizations and documents in a request that disables them. */
const MAX_ORGANIZATIONS = 1_000;
const MAX_DOCUMENTS = 30;

/** Errors that concern each record of a batch in the same way. */
const OF_WHOLE_BATCH: readonly Reason[] = ["organization_disabled", "activity_service_disabled"];

/**
 * Writes records that do not exist, by the operations' own code. Triggers no activities, notifications or mails. A
 * record is added whole, so an interrupted import can be repeated.
 */
export class Importer {
  readonly #database: TransactionalQueryable;
  readonly #workspace: Workspace;
  readonly #deferredDisabling = new DeferredDisabling();

  constructor(database: TransactionalQueryable, workspace: Workspace) {
    this.#database = database;
    this.#workspace = workspace;
  }

  /** Writes records of one kind, in their order. Returns the outcome of each. Throws if the database is away. */
  async write(kind: ImportKind, records: ImportedRecord[]): Promise<Outcome[]> {
    const outcomes = new Map<ImportedRecord, Outcome>();
    const open = records.filter(
      ({ organizationId, documentId }) => !this.#deferredDisabling.isFinished(organizationId, documentId),
    );
    for (const [organizationId, group] of Map.groupBy(open, (record) => record.organizationId)) {
      for (const batch of splitIntoChunks(group, kind.batchSize)) {
        const written = await this.#writeBatch(kind, { organizationId, items: batch });
        for (const [index, record] of batch.entries()) outcomes.set(record, written[index] ?? "existed");
      }
    }
    return records.map((record) => outcomes.get(record) ?? "existed");
  }

  /** Disables what was disabled in the export, for which all of its records must have been written. */
  async finish(): Promise<void> {
    for (const [organizationId, ids] of this.#deferredDisabling.documents) {
      for (const documentIds of splitIntoChunks([...ids], MAX_DOCUMENTS)) {
        const request = { organizationId, documentIds, disabled: true };
        await this.#inTransaction(({ operations }) => operations.call(updateDocumentDisableState, request));
      }
    }
    for (const organizationIds of splitIntoChunks([...this.#deferredDisabling.organizations], MAX_ORGANIZATIONS)) {
      const request = { organizationIds, disabled: true };
      await this.#inTransaction(({ operations }) => operations.call(updateDisableState, request));
    }
  }

  /** Writes a batch in one transaction or, if that is rejected, each of its records separately. */
  async #writeBatch(kind: ImportKind, batch: Batch<unknown>): Promise<Outcome[]> {
    try {
      return await this.#inTransaction((importing) => kind.write(importing, batch));
    } catch (error) {
      if (!isRejection(error)) throw error;
      if (batch.items.length === 1 || OF_WHOLE_BATCH.includes(error.reason)) {
        return batch.items.map(() => ({ rejected: error.message }));
      }
      const outcomes: Outcome[] = [];
      for (const item of batch.items) outcomes.push(...(await this.#writeBatch(kind, { ...batch, items: [item] })));
      return outcomes;
    }
  }

  #inTransaction<Result>(work: (context: ImportContext) => Promise<Result>): Promise<Result> {
    const [workspace, deferredDisabling] = [this.#workspace, this.#deferredDisabling];
    return this.#database.transaction((transaction) => {
      const operations = new OperationRunner(transaction, workspace);
      return work({ workspace, transaction, operations, deferredDisabling });
    });
  }
}

/** Returns whether an operation has rejected the records themselves. */
function isRejection(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.httpStatus < 500;
}
