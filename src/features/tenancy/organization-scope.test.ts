import { expect, expectTypeOf, test } from "vitest";
import type { OrganizationKey, UserKey } from "../../database/keys.ts";
import { sql } from "../../database/sql.ts";
import type { BatchedStatement, Queryable, Transaction } from "../../database/statement.ts";
import { Outbox } from "../../email/outbox.ts";
import type { AccessScope } from "../access/access-queries.ts";
import { findPermittedUsers } from "../access/permitted-users/find-permitted-users.ts";
import { selectAccess } from "../access/resource-access-queries.ts";
import { seesAnnotations } from "../access/visibility-queries.ts";
import { selectActivityPage } from "../activities/activity-queries.ts";
import { selectEvents } from "../events/event-queries.ts";
import { countInboxes } from "../notifications/inbox-queries.ts";
import { selectNotificationPage } from "../notifications/notification-page-queries.ts";
import { lockPositions } from "../notifications/notification-queries.ts";
import { lockOrganizationRecords } from "../organizations/organization-queries.ts";
import { selectRecordingPage } from "../recordings/recording-queries.ts";
import { searchOrganizations } from "../search/search-queries.ts";
import { findUserTokenCaller } from "../user-tokens/user-token-queries.ts";
import { lockWorkspace } from "../workspaces/workspace-queries.ts";
import { organizationKey, recordKey, userKey } from "./organization-key.ts";
import {
  acrossOrganizations,
  type CrossTenantScope,
  identifyOrganization,
  inOrganization,
  type OrganizationScope,
  openOrganization,
  storedOrganization,
} from "./organization-scope.ts";
import { deleteRecords, lockEnabledRecords, lockRecords } from "./record-queries.ts";

const WORKSPACE = { id: "00000000-0000-4000-8000-000000000001" };
const PAGE = { pageSize: 1, after: undefined };
const database: Queryable = { run: () => Promise.reject(new Error("no statement may run")) };

test("the same organization ID in two workspaces has two keys", () => {
  const other = { id: "00000000-0000-4000-8000-000000000002" };
  const scopes = [WORKSPACE, other].map((workspace) => openOrganization(database, workspace, "acme"));
  expect(new Set(scopes.map(({ key }) => key)).size).toBe(2);
});

test("a function on an organization's data takes only a scope that tenancy has made", () => {
  const key = organizationKey(WORKSPACE.id, "acme");
  const forged = { key, organizationId: "acme", workspace: WORKSPACE, run: database.run };
  function wrongUses(): unknown[] {
    return [
      // @ts-expect-error: a connection names no organization
      selectRecordingPage(database, {}, PAGE),
      // @ts-expect-error: an object with the fields of a scope is not one
      selectRecordingPage(forged, {}, PAGE),
      // @ts-expect-error: what may read several organizations is not one of them
      selectRecordingPage(acrossOrganizations(database), {}, PAGE),
      // @ts-expect-error: a list of scopes is not one
      selectRecordingPage([openOrganization(database, WORKSPACE, "acme")], {}, PAGE),
    ];
  }
  expect(wrongUses).toBeTypeOf("function");
  expectTypeOf(selectRecordingPage).parameter(0).toEqualTypeOf<OrganizationScope>();
});

test("a function on the data of several organizations takes only a scope that says so", () => {
  const wanted = { workspaceId: WORKSPACE.id, search: "a", limit: 1 };
  function wrongUses(): unknown[] {
    return [
      // @ts-expect-error: a connection does not say that it may read several organizations
      searchOrganizations(database, wanted),
      // @ts-expect-error: the scope of one organization may not read others
      searchOrganizations(openOrganization(database, WORKSPACE, "acme"), wanted),
    ];
  }
  expect(wrongUses).toBeTypeOf("function");
  expectTypeOf(searchOrganizations).parameter(0).toEqualTypeOf<CrossTenantScope>();
});

test("access in an organization is decided for a user alone, who brings no organization", () => {
  const settings = { ...WORKSPACE, defaultDocumentAccessType: "public", isContextEnabled: false } as const;
  const acme = openOrganization(database, settings, "acme");
  const globex = openOrganization(database, settings, "globex");
  const user = { userId: "ada", grants: [] };
  const inGlobex: AccessScope = { organization: globex, user };
  const pair = { userId: "ada", documentId: "contract-7" };
  const page = { order: "desc", ...PAGE } as const;
  const filters = { documentIds: [], kinds: undefined, inbox: false };
  function wrongUses(): unknown[] {
    return [
      // @ts-expect-error: the rules of access are those of the organization, and no others can be passed
      findPermittedUsers(acme, globex, [pair], "viewer"),
      // @ts-expect-error: the user brings no organization
      selectAccess(acme, inGlobex, {}),
      // @ts-expect-error: the user brings no organization
      seesAnnotations(acme, inGlobex, "contract-7", []),
      // @ts-expect-error: the user brings no organization
      selectActivityPage(acme, { seenBy: inGlobex }, page),
      // @ts-expect-error: the user brings no organization
      selectNotificationPage(acme, { userId: "ada", seenBy: inGlobex }, page),
      // @ts-expect-error: the user brings no organization
      selectEvents(acme, { ...filters, seenBy: inGlobex }, { after: 0, last: 1, limit: 1 }),
      // @ts-expect-error: the rules of access are those of the organization, and no others can be passed
      countInboxes(acme, globex, { userIds: ["ada"], tokenGrants: user }, {}),
      // @ts-expect-error: the workspace has no settings by which access is decided
      selectAccess(openOrganization(database, WORKSPACE, "acme"), user, {}),
      // @ts-expect-error: an organization and settings that were put together are not a scope
      selectAccess({ key: acme.key, organizationId: "globex", workspace: settings, run: database.run }, user, {}),
    ];
  }
  expect(wrongUses).toBeTypeOf("function");
});

test("rows are locked by the scope of a transaction alone", () => {
  const acme = openOrganization(database, WORKSPACE, "acme");
  function wrongUses(): unknown[] {
    return [
      // @ts-expect-error: on the connection pool, the locks end with the statement
      lockRecords(acme, "activities", ["activity-1"]),
      // @ts-expect-error: on the connection pool, the locks end with the statement
      lockEnabledRecords(acme, "activities", ["activity-1"]),
      // @ts-expect-error: on the connection pool, the locks end with the statement
      deleteRecords(acme, { table: "activities", condition: sql`true` }),
      // @ts-expect-error: on the connection pool, the locks end with the statement
      lockPositions(acme, {}, { after: undefined }),
      // @ts-expect-error: on the connection pool, the locks end with the statement
      lockOrganizationRecords(acrossOrganizations(database), [acme.key]),
      // @ts-expect-error: on the connection pool, the locks end with the statement
      lockWorkspace(database, WORKSPACE.id),
    ];
  }
  expect(wrongUses).toBeTypeOf("function");
  expectTypeOf(inOrganization).parameter(3).parameter(0).toExtend<Parameters<typeof lockRecords>[0]>();
  const transaction: Transaction = { ...database, isTransaction: true };
  const scopes = [
    openOrganization(transaction, WORKSPACE, "acme"),
    identifyOrganization(storedOrganization(transaction, acme.key), WORKSPACE, "acme"),
    acrossOrganizations(transaction),
  ];
  expectTypeOf(scopes).items.toExtend<Transaction>();
  expect(scopes.map(({ isTransaction }) => isTransaction)).toEqual([true, true, true]);
});

test("the scope of an organization becomes that of no other one", () => {
  const acme = openOrganization(database, WORKSPACE, "acme");
  // @ts-expect-error: no other organization can be opened on a scope
  const wrongUse = () => openOrganization(acme, WORKSPACE, "globex");
  expect(wrongUse).toBeTypeOf("function");
  const stored = storedOrganization(database, acme.key);
  expect(identifyOrganization(stored, WORKSPACE, "acme").organizationId).toBe("acme");
  expect(() => identifyOrganization(stored, WORKSPACE, "globex")).toThrow("the organization has another key");
});

test("keys of organizations, users and documents cannot be exchanged", () => {
  expectTypeOf(userKey("ada")).toEqualTypeOf<UserKey>();
  expectTypeOf(userKey("ada")).not.toExtend<OrganizationKey>();
  expectTypeOf(recordKey(WORKSPACE.id, "acme", "contract-7")).not.toExtend<OrganizationKey>();
  expectTypeOf<string>().not.toExtend<OrganizationKey>();
  expectTypeOf(openOrganization(database, WORKSPACE, "acme").key).toEqualTypeOf<OrganizationKey>();
  expectTypeOf<BatchedStatement<unknown, unknown>["organizationKey"]>().returns.toEqualTypeOf<OrganizationKey>();
  const outbox = new Outbox("/nowhere");
  const text = "0".repeat(32);
  function wrongUses(): unknown[] {
    return [
      // @ts-expect-error: the key of a user is not that of an organization
      outbox.purgeOrganization(userKey("ada"), 0),
      // @ts-expect-error: a text is not a key
      outbox.purgeOrganization(text, 0),
      // @ts-expect-error: a text is not a key
      storedOrganization(database, text),
      // @ts-expect-error: the key of an organization is not that of a user
      findUserTokenCaller(database, { apiKeyHash: Buffer.alloc(0), userKey: organizationKey(WORKSPACE.id, "acme") }),
    ];
  }
  expect(wrongUses).toBeTypeOf("function");
});
