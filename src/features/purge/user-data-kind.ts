import type { OrganizationKey } from "../../database/keys.ts";
import type { PageOfRecords } from "../../database/page.ts";
import type { Sql } from "../../database/sql.ts";
import type { Outbox } from "../../email/outbox.ts";
import type { FileStore } from "../../files/file-store.ts";
import type { CrossTenantScope, StoredOrganization, TransactionalOrganization } from "../tenancy/organization-scope.ts";
import type { AccessBlock } from "../tenancy/tenancy-queries.ts";
import type { Mentions } from "./mentions.ts";
import type { WritingTime } from "./owned-tables.ts";
import type { Moment } from "./purge-queries.ts";

/** What deleting and exporting a user means for one kind of an organization's data. */
export interface UserDataKind {
  /** Name in receipts and, if the kind is exported, in the response of `/users/data/get`. */
  kind: string;
  /** Columns that can have a user's ID, name or address, by table. The steps remove the users from all of them. */
  columns: { [table: string]: readonly string[] };
  /** Reasons why columns of shared work stay unchanged, by `table.column`. */
  kept?: { [column: string]: string };
  /** Finds email addresses of the users in their own records, the rows of the steps, and in those of `namingRows`. */
  findAddresses?: (organization: StoredOrganization, users: DeletedUsers) => AsyncIterable<string>;
  /** Rows of the users that name records of others with their addresses. */
  namingRows?: readonly UserRows[];
  /** Steps of the purge. Each repeats until it is complete, in the organizations where it may find something. */
  steps: readonly PurgeStep[];
  /** Reads one page of the user's data, in an order that does not change. */
  selectPage?: (organization: StoredOrganization, userId: string, after: Key[] | undefined) => Promise<UserPage>;
}

type Key = string | number;

type UserPage = PageOfRecords<AccessBlock, Key>;

/** Rows that belong to users, found by an index on the organization and the user. */
export interface UserRows extends WritingTime {
  table: string;
  /** Further condition on the rows. */
  condition?: Sql;
}

/** Records that may mention users. */
export interface MentioningRecords extends Partial<WritingTime> {
  table: string;
  /** The other columns of the primary key; for organizations, their ID. */
  key: readonly string[];
  hasBytes: boolean;
  /** Further condition on the records. */
  condition?: Sql;
  /** Expression for the text of a JSON object with all mentions, if other columns than the record mention users. */
  text?: Sql;
  /** Columns that repeat a field of the record, by column. */
  repeated?: { [column: string]: string };
  /** JSON texts of further columns that follow from the record. */
  computed?: { [column: string]: (record: Record<string, unknown>) => string | null };
}

/** Users, and the moment until which their data is purged. */
export interface DeletedUsers {
  userIds: string[];
  accepted: Moment;
}

/** A deletion of users' data, with what the steps of its purge in an organization need. */
export interface UserDeletion extends DeletedUsers {
  workspaceId: string;
  mentions: Mentions;
  /** Outbox on the disk of this server. */
  outbox: Outbox;
  /** Bytes of files. */
  files: FileStore;
  receipt: ReceiptLine;
}

/** Stands in a receipt for the organization of data that belongs to none. No organization has this ID. */
export const NO_ORGANIZATION = "";

/** Line of a receipt. Each purge adds its counts to it in its own transaction. */
export interface ReceiptLine {
  deletionId: string;
  organizationId: string;
  kind: string;
}

/** Position from which a step continues. */
export type Position = readonly Key[];

interface StepResult {
  /** Position of the next part; absent if the step is complete. */
  next?: Position;
  /** Whether locked rows were skipped, so that the step must start again. */
  isIncomplete?: boolean;
}

/**
 * One step of a kind's purge. It is skipped in an organization without such rows of the users, such records that may
 * mention them, and such files; one lookup checks thousands of organizations for these.
 */
export interface PurgeStep {
  rows: readonly UserRows[];
  records: readonly MentioningRecords[];
  /** Fields of the records in which users stay. */
  keptFields?: readonly string[];
  /** Returns the keys of the organizations that have files. */
  findFiles?: (search: FileSearch, scope: CrossTenantScope) => Promise<ReadonlySet<OrganizationKey>>;
  purge: Purge;
}

/**
 * Purges a bounded part of the rows after the position `after`: in less than a second, with short locks. It is
 * idempotent, even when it runs twice at the same time, and counts once.
 */
export type Purge = (
  organization: TransactionalOrganization,
  deletion: UserDeletion,
  after: Position | undefined,
) => Promise<StepResult>;

/** Search for files in many organizations of a workspace. */
export interface FileSearch extends Pick<UserDeletion, "accepted" | "mentions" | "outbox"> {
  organizationKeys: OrganizationKey[];
}
