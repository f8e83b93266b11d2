import type { OrganizationKey } from "../../database/keys.ts";
import type { Queryable, Statement, TransactionalQueryable } from "../../database/statement.ts";
import { organizationKey } from "./organization-key.ts";

declare const ONE_ORGANIZATION: unique symbol;
declare const SEVERAL_ORGANIZATIONS: unique symbol;

/** The workspace of an organization, with the settings that a function needs. */
export interface TenantWorkspace {
  readonly id: string;
}

/**
 * One organization by its key alone, and the connection pool or transaction on which statements on its data run: what
 * a job has, which knows the organization by a row or its payload. Every OrganizationScope is one.
 */
export interface StoredOrganization extends Queryable {
  readonly [ONE_ORGANIZATION]: true;
  readonly key: OrganizationKey;
}

/** A StoredOrganization on the connection pool, which also runs transactions. */
export interface TransactionalOrganization extends StoredOrganization {
  /** Runs `work` in one transaction on the organization's data: commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: InTransaction<StoredOrganization>) => Promise<Result>): Promise<Result>;
}

/** A scope whose statements run in one transaction, so that the rows that they lock stay locked until it ends. */
export type InTransaction<Scope extends StoredOrganization> = Scope & { readonly isTransaction: true };

/**
 * One organization, and the connection pool or transaction on which statements on its data run. All statements on an
 * organization's data get their key from it, so that no unit of work can mix two organizations. Only this module makes
 * one. `Workspace` has the settings of the workspace that a function needs.
 */
export interface OrganizationScope<Workspace extends TenantWorkspace = TenantWorkspace> extends StoredOrganization {
  readonly organizationId: string;
  readonly workspace: Workspace;
}

/**
 * The right to run statements on the data of several organizations: the event feed of a process, the tables of the
 * console, the deletion of a user's data, purges. Rarely right: use an OrganizationScope wherever there is one
 * organization.
 */
export interface CrossTenantScope extends Queryable {
  readonly [SEVERAL_ORGANIZATIONS]: true;
}

/** A CrossTenantScope on the connection pool, which also runs transactions. */
export interface TransactionalCrossTenantScope extends CrossTenantScope {
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (scope: CrossTenantScope) => Promise<Result>): Promise<Result>;
}

/** What runs statements, unless it is the scope of an organization, which cannot become that of another one. */
interface Unscoped {
  readonly [ONE_ORGANIZATION]?: never;
}

/**
 * Returns the scope of an organization of the caller's workspace. Runs no statement: access is checked by the access
 * block that a statement returns together with the data, or by `requireAccessible`. A write of several statements uses
 * `inOrganization`.
 */
export function openOrganization<Workspace extends TenantWorkspace>(
  database: Queryable & Unscoped,
  workspace: Workspace,
  organizationId: string,
): OrganizationScope<Workspace> {
  const organization = { key: organizationKey(workspace.id, organizationId), organizationId, workspace };
  return branded({ ...organization, run: getRunner(database) });
}

/**
 * Runs `work` in one transaction on the data of an organization of the caller's workspace: commits when it resolves,
 * rolls back when it throws. `work` checks access itself, by `requireAccessible`, `ensureDocument` or an access block.
 */
export function inOrganization<Workspace extends TenantWorkspace, Result>(
  database: TransactionalQueryable & Unscoped,
  workspace: Workspace,
  organizationId: string,
  work: (scope: InTransaction<OrganizationScope<Workspace>>) => Promise<Result>,
): Promise<Result> {
  return database.transaction((transaction) =>
    work({ ...openOrganization(transaction, workspace, organizationId), isTransaction: true }),
  );
}

/** Returns the organization that a row or the payload of a job names by its key. */
export function storedOrganization(database: Queryable & Unscoped, key: OrganizationKey): StoredOrganization {
  return branded({ key, run: getRunner(database) });
}

/** Returns the scope of an organization that is known by its key. Throws if workspace and ID have another key. */
export function identifyOrganization<Workspace extends TenantWorkspace>(
  organization: StoredOrganization,
  workspace: Workspace,
  organizationId: string,
): OrganizationScope<Workspace> {
  const { key } = organization;
  if (organizationKey(workspace.id, organizationId) !== key) throw new Error("the organization has another key");
  return branded({ key, organizationId, workspace, run: getRunner(organization) });
}

/** Returns the same organization with the transactions that the steps of a job run. */
export function transactionalOrganization(
  database: TransactionalQueryable & Unscoped,
  key: OrganizationKey,
): TransactionalOrganization {
  return {
    ...storedOrganization(database, key),
    transaction: (work) =>
      database.transaction((transaction) => work({ ...storedOrganization(transaction, key), isTransaction: true })),
  };
}

/** Returns a scope for statements that read or write the data of several organizations. */
export function acrossOrganizations(database: Queryable & Unscoped): CrossTenantScope {
  return branded({ run: getRunner(database) });
}

/** Returns such a scope that also runs transactions. */
export function transactionalAcrossOrganizations(
  database: TransactionalQueryable & Unscoped,
): TransactionalCrossTenantScope {
  return {
    ...acrossOrganizations(database),
    transaction: (work) => database.transaction((transaction) => work(acrossOrganizations(transaction))),
  };
}

function getRunner(database: Queryable): Queryable["run"] {
  return <Result>(statement: Statement<Result>) => database.run(statement);
}

/** Adds the type brand; the cast holds because only this module makes scopes. */
function branded<Scope extends object>(
  scope: Omit<Scope, typeof ONE_ORGANIZATION | typeof SEVERAL_ORGANIZATIONS>,
): Scope {
  return scope as Scope;
}
