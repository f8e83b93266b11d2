import type { OrganizationKey } from "../../database/keys.ts";
import type { Queryable, Statement, Transaction, TransactionalQueryable } from "../../database/statement.ts";
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

/** A scope on a transaction, which functions that lock rows take. */
export type InTransaction<Scope extends Queryable> = Scope & Transaction;

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
  transaction<Result>(work: (scope: InTransaction<CrossTenantScope>) => Promise<Result>): Promise<Result>;
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
  transaction: Transaction & Unscoped,
  workspace: Workspace,
  organizationId: string,
): InTransaction<OrganizationScope<Workspace>>;
export function openOrganization<Workspace extends TenantWorkspace>(
  database: Queryable & Unscoped,
  workspace: Workspace,
  organizationId: string,
): OrganizationScope<Workspace>;
export function openOrganization<Workspace extends TenantWorkspace>(
  database: Queryable & Unscoped,
  workspace: Workspace,
  organizationId: string,
): OrganizationScope<Workspace> {
  const organization = { key: organizationKey(workspace.id, organizationId), organizationId, workspace };
  return branded({ ...organization, ...getRunner(database) });
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
  return database.transaction((transaction) => work(openOrganization(transaction, workspace, organizationId)));
}

/** Returns the organization that a row or the payload of a job names by its key. */
export function storedOrganization(
  transaction: Transaction & Unscoped,
  key: OrganizationKey,
): InTransaction<StoredOrganization>;
export function storedOrganization(database: Queryable & Unscoped, key: OrganizationKey): StoredOrganization;
export function storedOrganization(database: Queryable & Unscoped, key: OrganizationKey): StoredOrganization {
  return branded({ key, ...getRunner(database) });
}

/** Returns the scope of an organization that is known by its key. Throws if workspace and ID have another key. */
export function identifyOrganization<Workspace extends TenantWorkspace>(
  organization: InTransaction<StoredOrganization>,
  workspace: Workspace,
  organizationId: string,
): InTransaction<OrganizationScope<Workspace>>;
export function identifyOrganization<Workspace extends TenantWorkspace>(
  organization: StoredOrganization,
  workspace: Workspace,
  organizationId: string,
): OrganizationScope<Workspace>;
export function identifyOrganization<Workspace extends TenantWorkspace>(
  organization: StoredOrganization,
  workspace: Workspace,
  organizationId: string,
): OrganizationScope<Workspace> {
  const { key } = organization;
  if (organizationKey(workspace.id, organizationId) !== key) throw new Error("the organization has another key");
  return branded({ key, organizationId, workspace, ...getRunner(organization) });
}

/** Returns the same organization with the transactions that the steps of a job run. */
export function transactionalOrganization(
  database: TransactionalQueryable & Unscoped,
  key: OrganizationKey,
): TransactionalOrganization {
  return {
    ...storedOrganization(database, key),
    transaction: (work) => database.transaction((transaction) => work(storedOrganization(transaction, key))),
  };
}

/** Returns a scope for statements that read or write the data of several organizations. */
export function acrossOrganizations(transaction: Transaction & Unscoped): InTransaction<CrossTenantScope>;
export function acrossOrganizations(database: Queryable & Unscoped): CrossTenantScope;
export function acrossOrganizations(database: Queryable & Unscoped): CrossTenantScope {
  return branded(getRunner(database));
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

/** Returns what runs the statements of a scope: the same transaction, if it is one. */
function getRunner(database: Queryable | Transaction): Queryable | Transaction {
  const run = <Result>(statement: Statement<Result>) => database.run(statement);
  return "isTransaction" in database ? { run, isTransaction: true } : { run };
}

/** Adds the type brand; the cast holds because only this module makes scopes. */
function branded<Scope extends object>(
  scope: Omit<Scope, typeof ONE_ORGANIZATION | typeof SEVERAL_ORGANIZATIONS>,
): Scope {
  return scope as Scope;
}
