import type { Queryable, Statement } from "../../database/statement.ts";
import { type OrganizationKey, organizationKey } from "./organization-key.ts";

declare const ONE_ORGANIZATION: unique symbol;
declare const SEVERAL_ORGANIZATIONS: unique symbol;

/** The workspace of an organization, with the settings that a function needs. */
export interface TenantWorkspace {
  readonly id: string;
}

/**
 * One organization, and the connection pool or transaction on which statements on its data run. All statements on an
 * organization's data get their key from it, so that no unit of work can mix two organizations. Only this module makes
 * one. `Workspace` has the settings of the workspace that a function needs.
 */
export interface OrganizationScope<Workspace extends TenantWorkspace = TenantWorkspace> extends Queryable {
  readonly [ONE_ORGANIZATION]: true;
  readonly key: OrganizationKey;
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

/**
 * Returns the scope of an organization of the caller's workspace. The caller of this function checks access: by the
 * access block that the statement itself reads, or by `openAccessible` or `ensureDocument`.
 */
export function openOrganization<Workspace extends TenantWorkspace>(
  database: Queryable,
  workspace: Workspace,
  organizationId: string,
): OrganizationScope<Workspace> {
  const organization = { key: organizationKey(workspace.id, organizationId), organizationId, workspace };
  return branded({ ...organization, run: runnerOf(database) });
}

/** Returns a scope for statements that read or write the data of several organizations. */
export function acrossOrganizations(database: Queryable): CrossTenantScope {
  return branded({ run: runnerOf(database) });
}

function runnerOf(database: Queryable): Queryable["run"] {
  return <Result>(statement: Statement<Result>) => database.run(statement);
}

/** Adds the brand, which exists only as a type; the cast holds because only this module makes scopes. */
function branded<Scope extends object>(
  scope: Omit<Scope, typeof ONE_ORGANIZATION | typeof SEVERAL_ORGANIZATIONS>,
): Scope {
  return scope as Scope;
}
