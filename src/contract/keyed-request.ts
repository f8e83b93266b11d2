import type { TransactionalQueryable } from "../database/statement.ts";
import type { Context } from "./operation.ts";

/** A request with an Idempotency-Key, which is carried out once. */
export interface KeyedRequest {
  workspaceId: string;
  /** SHA-256 of the key and of the user who has sent it, if any. */
  keyHash: Buffer;
  /** SHA-256 of the path and the body. */
  requestHash: Buffer;
}

/** The body of a response, and whether it is that of an earlier request with the same key. */
export interface KeyedResponse {
  body: string | Buffer;
  isRepeated: boolean;
}

/** The database of a request with a key: everything that it writes is one transaction. */
export type KeyedDatabase = Pick<Context, "database" | "earlyReads">;

/** Responds to a request with a key: runs `work` if it is the first one with the key. */
export type RespondOnce = (
  database: TransactionalQueryable,
  request: KeyedRequest,
  work: (database: KeyedDatabase) => Promise<string | Buffer>,
) => Promise<KeyedResponse>;
