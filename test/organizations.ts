import { hash } from "node:crypto";
import { expect } from "vitest";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import type { Api } from "../src/operations.ts";
import { eventually } from "./eventually.ts";
import type { Result, TestService, TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

export type AnyRecord = { [field: string]: unknown };
type GroupFilters = Partial<Api["/v2/organizations/usergroups/get"]["request"]>;

/** A kind of record with metadata and the operations add, get, update and delete: organization, document or user. */
export interface RecordKind {
  noun: string;
  path: "/v2/organizations" | "/v2/organizations/documents" | "/v2/users";
  /** Names of the request fields that hold the list of records, the ID of a record, and the list of IDs. */
  list: string;
  id: string;
  ids: string;
  scope: object;
  /** Returns the fields that are read back besides those given, if only the ID was given, or also a name. */
  minimal(id: string, name?: string): AnyRecord;
}

export const ORGANIZATIONS: RecordKind = {
  noun: "Organization",
  path: "/v2/organizations",
  list: "organizations",
  id: "organizationId",
  ids: "organizationIds",
  scope: {},
  minimal: (id) => ({ id, disabled: false, organizationName: "" }),
};

export const DOCUMENTS: RecordKind = {
  noun: "Document",
  path: "/v2/organizations/documents",
  list: "documents",
  id: "documentId",
  ids: "documentIds",
  scope: { organizationId: "acme" },
  minimal: (id) => ({
    ...{ id, disabled: false, documentName: "", lastActivity: expect.any(Number) },
    accessType: "public",
  }),
};

export const USERS: RecordKind = {
  noun: "User",
  path: "/v2/users",
  list: "users",
  id: "userId",
  ids: "userIds",
  scope: { organizationId: "acme" },
  minimal: (userId, name) => ({ userId, ...(name && { initial: name.slice(0, 1) }) }),
};

/** Adds or updates these records, or one for each ID, in one call. */
export async function writeRecords(
  workspace: TestWorkspace,
  kind: RecordKind,
  verb: "add" | "update",
  records: (object | string)[],
  scope = {},
) {
  const given = records.map((record) => (typeof record === "string" ? { [kind.id]: record } : record));
  const request = { ...kind.scope, [kind.list]: given, ...scope };
  return (await workspace.uncheckedResult(`${kind.path}/${verb}` as const, request)).data;
}

export async function deleteRecords(workspace: TestWorkspace, kind: RecordKind, ids: string[], scope = {}) {
  const request = { ...kind.scope, [kind.ids]: ids, ...scope };
  return (await workspace.uncheckedResult(`${kind.path}/delete` as const, request)).data;
}

/** Reads all pages, starting with the page token in `request` if it has one. */
export async function readPages<Path extends keyof Api>(
  workspace: TestWorkspace,
  path: Path,
  request: Partial<Api[Path]["request"]>,
): Promise<Result<Path>["data"][]> {
  const pages: Result<Path>["data"][] = [];
  let pageToken = "pageToken" in request ? request.pageToken : undefined;
  do {
    const page: Result<Path> = await workspace.uncheckedResult(path, { ...request, pageToken });
    pages.push(page.data);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return pages;
}

/** Reads the records of all pages, sorted by ID. */
export async function readRecords(
  workspace: TestWorkspace,
  kind: RecordKind,
  request: object = {},
): Promise<AnyRecord[]> {
  return (await readPages(workspace, `${kind.path}/get`, { ...kind.scope, ...request })).flat();
}

export async function readRecordIds(
  workspace: TestWorkspace,
  kind: RecordKind,
  request: object = {},
): Promise<unknown[]> {
  return (await readRecords(workspace, kind, request)).map(recordId);
}

/** Returns the ID of an organization, document or user. */
export function recordId(record: AnyRecord): unknown {
  return record.id ?? record.userId;
}

export function addToGroup(workspace: TestWorkspace, organizationUserGroupId: string, userIds: string[]) {
  const request = { organizationId: "acme", organizationUserGroupId, userIds };
  return workspace.data("/v2/organizations/usergroups/users/add", request);
}

/** Reads the user IDs of each group, by group ID. */
export async function readGroups(
  workspace: TestWorkspace,
  request: GroupFilters = {},
): Promise<{ [groupId: string]: unknown }> {
  const path = "/v2/organizations/usergroups/get";
  const pages = await readPages(workspace, path, { organizationId: "acme", ...request });
  return Object.fromEntries(pages.flat().map(({ groupId, userIds }) => [groupId, userIds]));
}

export function setDisabled(workspace: TestWorkspace, disabled: boolean, organizationId = "acme") {
  return workspace.data("/v2/organizations/access/disablestate/update", {
    organizationIds: [organizationId],
    disabled,
  });
}

/** Returns the first 16 bytes, in hexadecimal, of the SHA-256 of the parts joined by U+0000. */
export function hashKey(...parts: string[]): string {
  return hash("sha256", Buffer.from(parts.join("\0")), "buffer").toString("hex", 0, 16);
}

/** Resolves when the job has purged the organization. */
export function untilOrganizationPurged(
  { database }: Pick<TestService, "database">,
  workspace: TestWorkspace,
  organizationId = "acme",
): Promise<void> {
  return eventually(async () => {
    const { length: rowCount } = await runSql(database, "select from organizations where organization_key = $1", [
      organizationKey(workspace.id, organizationId),
    ]);
    expect(rowCount).toBe(0);
  });
}

/** Resolves when the job has purged all deleted documents of the organization. */
export function untilDocumentsPurged({ database }: TestService, workspace: TestWorkspace): Promise<void> {
  return eventually(async () => {
    const { length: rowCount } = await runSql(database, "select from document_purges where organization_key = $1", [
      organizationKey(workspace.id, "acme"),
    ]);
    expect(rowCount).toBe(0);
  });
}
