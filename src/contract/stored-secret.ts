import type { Queryable } from "../database/statement.ts";

/** A secret that is stored encrypted under SECRET_KEY. */
interface StoredSecret {
  workspaceId: string;
  encrypted: Buffer;
  /** ID among the secrets of its kind in the workspace, if there are several. */
  id?: string;
}

/** Kind of secrets that `colloquy rotate-secrets` encrypts again. */
export interface StoredSecretKind {
  /** Returns the secrets of all workspaces. */
  select(database: Queryable): Promise<StoredSecret[]>;
  /** Returns the associated data with which a secret is encrypted. */
  boundTo(secret: StoredSecret): string;
  /** Replaces the encrypted bytes, unless they have changed meanwhile. Returns whether it has replaced them. */
  replace(transaction: Queryable, secret: StoredSecret, encrypted: Buffer): Promise<boolean>;
}
