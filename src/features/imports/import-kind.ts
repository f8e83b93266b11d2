import type { Static, TSchema } from "typebox";
import type { Workspace } from "../../contract/operation.ts";
import type { Queryable } from "../../database/statement.ts";
import type { DisabledAtEnd } from "./disabled-at-end.ts";
import type { Operations } from "./operations-in-transaction.ts";

/** Organization and document that a line names for all of its records. */
export interface Address {
  organizationId?: unknown;
  documentId?: unknown;
}

/** JSON object with the fields of a record, as `get` answers it. */
export type ExportedRecord = Record<string, unknown>;

/** Converted record: where it belongs, and what its schema checks. */
interface Converted extends Address {
  item: object;
}

/** Records of one organization that are written in one transaction. */
export interface Batch<Item> {
  organizationId: string;
  items: { documentId: string | undefined; item: Item }[];
}

/** What became of a record. */
export type Outcome = "added" | "existed" | { refused: string };

/** What a kind needs to write its records. */
export interface Importing {
  workspace: Workspace;
  transaction: Queryable;
  /** Runs operations in the transaction. */
  operations: Operations;
  disabledAtEnd: DisabledAtEnd;
}

/** Kind of records that can be imported. */
export interface ImportKind<Schema extends TSchema = TSchema> {
  /** Whether each record must belong to an organization, and to a document. */
  belongsTo: "workspace" | "organization" | "document";
  /** Maximum number of records in a transaction. */
  batchSize: number;
  /** What is stored of a record: fields that operations accept. */
  schema: Schema;
  /** Leaves out the fields that the service sets itself. Other fields stay, so that unknown ones are refused. */
  convert(record: ExportedRecord): Converted;
  /** Writes the records that do not exist. Returns the outcome of each. */
  write(importing: Importing, batch: Batch<unknown>): Promise<Outcome[]>;
}

/** Defines a kind. `write` only gets what the schema has accepted. */
export function importKind<Schema extends TSchema>(
  kind: Omit<ImportKind<Schema>, "write"> & {
    write(importing: Importing, batch: Batch<Static<Schema>>): Promise<Outcome[]>;
  },
): ImportKind<Schema> {
  return kind;
}
