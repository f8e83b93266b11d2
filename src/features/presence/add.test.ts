import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { addPresence, agePresence, readPresence, readUserIds } from "../../../test/presence.ts";
import { sql, uuid } from "../../database/sql.ts";

const PATHS = ["/v2/presence/add", "/v2/presence/update"] as const;
const ADA = { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" };
const service = await startTestService();

test.each(PATHS)("%s makes a user present, online and active now", async (path) => {
  const workspace = await service.workspace();
  const before = Date.now();
  expect(await workspace.data(path, { ...SCOPE, users: [ADA] })).toEqual({ success: true });
  const [entry, ...others] = await readPresence(workspace);
  expect(entry).toEqual({ ...ADA, status: "online", lastActive: expect.any(Number) });
  expect(entry?.lastActive).toBeGreaterThanOrEqual(before);
  expect(entry?.lastActive).toBeLessThanOrEqual(Date.now());
  expect(others).toEqual([]);
});

test.each(PATHS)("%s replaces the fields of a present user", async (path) => {
  const workspace = await service.workspace();
  await addPresence(workspace, [ADA]);
  const renewed = { userId: "ada", name: "Ada King", email: "", status: "away" } as const;
  await workspace.data(path, { ...SCOPE, users: [renewed] });
  expect(await readPresence(workspace)).toEqual([{ ...renewed, lastActive: expect.any(Number) }]);
});

test("an omitted name and email stay, and an omitted status becomes online", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, [{ ...ADA, status: "away" }]);
  await addPresence(workspace, ["ada"]);
  expect(await readPresence(workspace)).toMatchObject([{ ...ADA, status: "online" }]);
});

test("a name and an email that were never sent are absent", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["ada"]);
  const [entry] = await readPresence(workspace);
  expect(Object.keys(Object(entry)).sort()).toEqual(["lastActive", "status", "userId"]);
});

test.each(["online", "away", "offline"] as const)("the status %s is kept", async (status) => {
  const workspace = await service.workspace();
  await addPresence(workspace, [{ userId: "ada", status }]);
  expect(await readPresence(workspace)).toMatchObject([{ userId: "ada", status }]);
});

test("a heartbeat makes an offline entry online again", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, [ADA]);
  await agePresence(service.database, workspace, ["ada"], 11);
  const [expired] = await readPresence(workspace);
  await addPresence(workspace, ["ada"]);
  const [renewed] = await readPresence(workspace);
  expect([expired?.status, renewed?.status, renewed?.name]).toEqual(["offline", "online", ADA.name]);
  expect(Number(renewed?.lastActive) - Number(expired?.lastActive)).toBeGreaterThanOrEqual(11 * 60_000);
});

test("a heartbeat after 24 hours creates a new entry", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, [ADA]);
  await agePresence(service.database, workspace, ["ada"], 24 * 60);
  await addPresence(workspace, ["ada"]);
  expect(await readPresence(workspace)).toEqual([{ userId: "ada", status: "online", lastActive: expect.any(Number) }]);
});

test("a user present in several documents has an entry in each", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["ada"]);
  await addPresence(workspace, [{ userId: "ada", status: "away" }], { documentId: "other" });
  expect(await readPresence(workspace)).toMatchObject([{ status: "online" }]);
  expect(await readPresence(workspace, { documentId: "other" })).toMatchObject([{ status: "away" }]);
});

test("concurrent heartbeats all succeed, including those of the same user", async () => {
  const workspace = await service.workspace();
  const users = Array.from({ length: 200 }, (_, index) => `user-${index % 50}`);
  const both = [users, users.toReversed()].flatMap((ids) => ids.map((id) => [id, "shared", `${id} b`]));
  const responses = await Promise.all(both.map((ids) => addPresence(workspace, ids)));
  expect(responses).toEqual(Array(400).fill({ success: true }));
  expect((await readUserIds(workspace)).length).toBe(101);
});

test("of concurrent heartbeats only those of a disabled organization are rejected", async () => {
  const workspace = await service.workspace();
  const organizationIds = ["closed"];
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled: true });
  const organizations = Array.from({ length: 40 }, (_, index) => (index % 2 ? "closed" : "open"));
  const calls = await Promise.all(
    organizations.map((organizationId, index) =>
      workspace.call("/v2/presence/add", { ...SCOPE, organizationId, users: [{ userId: `${index}` }] }),
    ),
  );
  expect(calls.map(({ httpStatus }) => httpStatus)).toEqual(organizations.map((id) => (id === "closed" ? 403 : 200)));
  expect(await readUserIds(workspace, { organizationId: "open" })).toHaveLength(20);
});

test.each([
  ["/v2/presence/add", { users: [{ userId: "new" }] }],
  ["/v2/presence/get", {}],
  ["/v2/presence/delete", { userIds: ["ada"] }],
])("%s in a disabled organization is PERMISSION_DENIED and changes nothing", async (path, request) => {
  const workspace = await service.workspace();
  await addPresence(workspace, [ADA]);
  const before = await readPresence(workspace);
  const switchTo = (disabled: boolean) => {
    const request = { organizationIds: [SCOPE.organizationId], disabled };
    return workspace.data("/v2/organizations/access/disablestate/update", request);
  };
  await switchTo(true);
  expect(await workspace.error(path, { ...SCOPE, ...request })).toMatchObject({
    details: { reason: "organization_disabled" },
  });
  await switchTo(false);
  expect(await readPresence(workspace)).toEqual(before);
});

test("the first user creates the organization and document", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["ada"]);
  expect(await workspace.data("/v1/organizations/get", {})).toMatchObject([{ id: SCOPE.organizationId }]);
  const rows = await service.database.run(
    sql`select document_id from documents join organizations using (organization_key)
      where workspace_id = ${uuid(workspace.id)}`,
  );
  expect(rows).toEqual([{ document_id: SCOPE.documentId }]);
});

test.each([
  ["users[1].status", [{ userId: "good" }, { userId: "ada", status: "busy" }]],
  ["users[1].userId", [{ userId: "good" }, { userId: "" }]],
  ["users[1].userId", [{ userId: "good" }, { userId: "a\u0000b" }]],
  ["users[1].name", [{ userId: "good" }, { userId: "ada", name: null }]],
  ["users[1].name", [{ userId: "good" }, { userId: "ada", name: "x".repeat(1025) }]],
  ["users[1].email", [{ userId: "good" }, { userId: "ada", email: 7 }]],
  ["users[1].userId", [{ userId: "ada" }, { userId: "ada" }]],
  ["users", []],
  ["users", Array.from({ length: 1001 }, (_, index) => ({ userId: `${index}` }))],
])("an invalid %s is INVALID_ARGUMENT, is named in the message, and no user becomes present", async (name, users) => {
  const workspace = await service.workspace();
  for (const path of PATHS) {
    const error = await workspace.error(path, { ...SCOPE, users });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT" });
    expect(error.message).toContain(`data.${name} `);
  }
  expect(await readPresence(workspace)).toEqual([]);
});

test("1,000 users of one request are present, by user id", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 1000 }, (_, index) => `${(index * 7919) % 1000}`);
  await addPresence(workspace, ids);
  expect(await readUserIds(workspace)).toEqual(ids.toSorted());
});

test("texts that PostgreSQL cannot store and ids of object prototypes are returned unchanged", async () => {
  const workspace = await service.workspace();
  const hostile = '\u0000 \ud800 \u2028 "\'\\ 😀 {"userId":1}';
  const ids = ["__proto__", "constructor", 'a "quoted" \\ id', "null", "{}", "😀"];
  await addPresence(
    workspace,
    ids.map((userId) => ({ userId, name: hostile })),
  );
  await addPresence(workspace, ids);
  const expected = ids.map((userId) => expect.objectContaining({ userId, name: hostile }));
  const read = await readPresence(workspace);
  expect(read).toEqual(expect.arrayContaining(expected));
  expect(read).toHaveLength(ids.length);
});
