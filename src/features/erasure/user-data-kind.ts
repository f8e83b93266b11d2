import type { Queryable } from "../../database/database.ts";
import type { PageOfRecords } from "../../database/page.ts";
import type { Outbox } from "../../email/outbox.ts";
import type { AccessBlock } from "../tenancy/queries.ts";
import type { Mentions } from "./mentions.ts";
import type { MentioningRecords, UserRows } from "./users/queries.ts";

/** What deleting and exporting a user means for one kind of an organization's data. */
export interface UserDataKind {
  /** Stands in receipts and, where there is an export, in the answer of `/users/data/get`. */
  kind: string;
  /** The columns that can hold somebody's id, name or address, by table; the steps leave nothing of it in them. */
  columns: { [table: string]: readonly string[] };
  /** Where shared work stays as it is: why, by `table.column`. */
  kept?: { [column: string]: string };
  /** Finds the e-mail addresses that the users' own records name, which are among the rows of the steps. */
  findAddresses?: (database: Queryable, scope: UsersScope) => AsyncIterable<string>;
  /** Each is repeated until it is through, in the organizations where it may have something to do. */
  steps: readonly PurgeStep[];
  /** One page of what is the user's, in an order that does not change. */
  selectPage?: (database: Queryable, place: UserPlace, after: Key[] | undefined) => Promise<UserPage>;
}

type Key = string | number;

interface UserPlace {
  organizationKey: string;
  userId: string;
}

type UserPage = PageOfRecords<AccessBlock, Key>;

/** The users in one organization, and what they have written up to the acceptance. */
export interface UsersScope {
  organizationKey: string;
  userIds: string[];
  /** Milliseconds since the epoch. */
  acceptedAt: number;
}

export interface PurgeScope extends UsersScope {
  workspaceId: string;
  mentions: Mentions;
  /** Of this server. */
  outbox: Outbox;
  receipt: ReceiptLine;
}

/** Where it is counted what was done, in the transaction that has done it. */
export interface ReceiptLine {
  deletionId: string;
  organizationId: string;
  kind: string;
}

/** Where a step goes on. */
export type Position = readonly Key[];

interface StepResult {
  /** Absent when it is through. */
  next?: Position;
  /** Rows that somebody held locked were passed over: it must start again. */
  isIncomplete?: boolean;
}

/**
 * A part of a kind. In an organization without such rows of the users, without such records that may mention them and
 * without such files there is nothing to do; thousands of organizations are looked through for these at once.
 */
export interface PurgeStep {
  rows: readonly UserRows[];
  records: readonly MentioningRecords[];
  /** The organizations, by key, that have files. */
  findFiles?: (scope: FilesScope) => Promise<ReadonlySet<string>>;
  purge: Purge;
}

/**
 * Does a bounded part of the work behind `after`: less than a second, with short locks. Doing it twice, also at the
 * same time, does no harm and counts once.
 */
export type Purge = (database: StepDatabase, scope: PurgeScope, after: Position | undefined) => Promise<StepResult>;

/** Many organizations of a workspace. */
export interface FilesScope extends Pick<PurgeScope, "workspaceId" | "acceptedAt" | "mentions" | "outbox"> {
  organizationKeys: string[];
}

interface StepDatabase extends Queryable {
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
}
