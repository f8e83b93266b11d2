import type { Static, TSchema } from "typebox";
import type { Workspace } from "../../contract/operation.ts";
import type { Transaction } from "../../database/statement.ts";
import { isObject } from "../../json/is-object.ts";
import type { DeferredDisabling } from "./deferred-disabling.ts";
import type { OperationRunner } from "./operation-runner.ts";

/** Organization, and document or folder, that a record belongs to, by what its line or itself says. */
export interface ParentIds {
  organizationId?: unknown;
  documentId?: unknown;
  folderId?: unknown;
}

/** JSON object with the fields of a record, as `get` returns it. */
export type ExportedRecord = Record<string, unknown>;

/** Converted record: where it belongs, and what its schema checks. */
interface Converted extends ParentIds {
  item: object;
}

/** Records of one organization that are written in one transaction. */
export interface Batch<Item> {
  organizationId: string;
  items: { documentId: string | undefined; folderId: string | undefined; item: Item }[];
}

/** What became of a record. */
export type Outcome = "added" | "existed" | { rejected: string };

/** What a kind needs to write its records. */
export interface ImportContext {
  workspace: Workspace;
  transaction: Transaction;
  /** Runs operations in the transaction. */
  operations: OperationRunner;
  deferredDisabling: DeferredDisabling;
}

/** Kind of records that can be imported. */
export interface ImportKind<Schema extends TSchema = TSchema> {
  /** What each record must belong to. A resource is an organization, or a folder or document of it. */
  belongsTo: "workspace" | "organization" | "resource" | "document";
  /** Maximum number of records in a transaction. */
  batchSize: number;
  /** What is stored of a record: fields that operations accept. */
  schema: Schema;
  /** Leaves out the fields that the service sets itself. Other fields stay, so that unknown ones are rejected. */
  convert(record: ExportedRecord): Converted;
  /** Writes the records that do not exist. Returns the outcome of each. */
  write(context: ImportContext, batch: Batch<unknown>): Promise<Outcome[]>;
}

/** Defines a kind. `write` only gets what the schema has accepted. */
export function importKind<Schema extends TSchema>(
  kind: Omit<ImportKind<Schema>, "write"> & {
    write(context: ImportContext, batch: Batch<Static<Schema>>): Promise<Outcome[]>;
  },
): ImportKind<Schema> {
  return kind;
}

/** Returns the organization and document that the metadata of a record names. */
export function parentIdsIn(metadata: unknown): ParentIds {
  const { organizationId, documentId } = isObject(metadata) ? metadata : {};
  return { organizationId, documentId };
}
