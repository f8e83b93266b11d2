import { expect, test } from "vitest";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../test/user-data.ts";
import type { Api } from "../../operations.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const PATH = "/v2/workspace/users/get";
const service = await startOwnTestService();
const EMAIL = "ada@example.com";

type Person = Api[typeof PATH]["request"];

function add(workspace: TestWorkspace, organizationId: string, ...users: Api["/v2/users/add"]["request"]["users"]) {
  return workspace.data("/v2/users/add", { organizationId, users });
}

/** Stores the email of the user `ada` of `acme`, as earlier versions did with any text. */
async function storeEmail(workspace: TestWorkspace, email: string) {
  const record = JSON.stringify({ userId: "ada", email });
  const parameters = [organizationKey(workspace.id, "acme"), record];
  await runSql(service.database, "update users set record = $2 where organization_key = $1", parameters);
}

function find(workspace: TestWorkspace, person: Person) {
  return workspace.data(PATH, person);
}

async function getPlaces(workspace: TestWorkspace, person: Person): Promise<[string, string][]> {
  return (await find(workspace, person)).map(({ organizationId, user }) => [organizationId, user.userId]);
}

test("a user id is found in every organization, sorted by organization, with the whole record of each", async () => {
  const workspace = await service.workspace();
  const ada = { userId: "ada", name: "Ada", metadata: { "\0": "\ud800", ["__proto__"]: 1 } };
  await add(workspace, "globex", ada, { userId: "grace" });
  await add(workspace, "acme", { userId: "ada" });
  expect(await find(workspace, { userId: "ada" })).toEqual([
    { organizationId: "acme", user: { userId: "ada" } },
    { organizationId: "globex", user: ada },
  ]);
  expect(await find(workspace, { userId: "nobody" })).toEqual([]);
});

test("an address is found regardless of case, for several users, and only as a whole", async () => {
  const workspace = await service.workspace();
  await add(workspace, "acme", { userId: "ada", email: "Ada@Example.COM" }, { userId: "b", email: `x${EMAIL}` });
  await add(workspace, "globex", { userId: "z", email: EMAIL }, { userId: "ada 2", email: EMAIL }, { userId: "c" });
  const all = [
    ["acme", "ada"],
    ["globex", "ada 2"],
    ["globex", "z"],
  ];
  expect(await getPlaces(workspace, { email: EMAIL })).toEqual(all);
  expect(await getPlaces(workspace, { email: "ADA@example.com" })).toEqual(all);
});

test("white space around an address is ignored, also around one that an earlier version stored", async () => {
  const workspace = await service.workspace();
  await add(workspace, "acme", { userId: "ada", email: EMAIL });
  await storeEmail(workspace, `\u00a0 ${EMAIL}\r\n\ufeff`);
  for (const email of [EMAIL, ` ${EMAIL}\u2003`]) {
    expect(await getPlaces(workspace, { email })).toEqual([["acme", "ada"]]);
  }
});

test.each<[string, object]>([
  ["U+0000", { note: "\0" }],
  ["lone surrogates", { note: "\ud800 \udfff", items: ["\udc00"] }],
  ["texts that look like their escapes", { note: "\\u0000 \\\\ud800 \\\0 \\" }],
  ["another address inside", { contact: { email: "grace@example.com" }, aliases: [{ email: "b@example.com" }] }],
  ["__proto__", { ["__proto__"]: { email: "grace@example.com" } }],
])("a record with %s in its metadata is found by its address, and returned unchanged", async (_title, metadata) => {
  const workspace = await service.workspace();
  const user = { ...metadata, userId: "ada", email: EMAIL };
  await add(workspace, "acme", user);
  expect(await find(workspace, { email: EMAIL })).toEqual([{ organizationId: "acme", user }]);
  expect(await find(workspace, { email: "grace@example.com" })).toEqual([]);
});

test.each(["", "\0", "\ud800", `${"x".repeat(60_000)}@example.com`, "not an address"])(
  "a user with an email that is not an address (%j), which earlier versions stored, is found by the user id",
  async (email) => {
    const workspace = await service.workspace();
    await add(workspace, "acme", { userId: "ada" });
    await storeEmail(workspace, email);
    expect(await find(workspace, { userId: "ada" })).toEqual([
      { organizationId: "acme", user: { userId: "ada", email } },
    ]);
  },
);

test("a changed address is found, and the previous one is not", async () => {
  const workspace = await service.workspace();
  await add(workspace, "acme", { userId: "ada", email: EMAIL });
  const users = [{ userId: "ada", email: "lovelace@example.com" }];
  await workspace.data("/v2/users/update", { organizationId: "acme", users });
  expect(await find(workspace, { email: EMAIL })).toEqual([]);
  expect(await getPlaces(workspace, { email: "lovelace@example.com" })).toEqual([["acme", "ada"]]);
});

test("users of a disabled organization are found, those of a deleted one or another workspace are not", async () => {
  const [workspace, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  for (const organizationId of ["off", "gone"]) await add(workspace, organizationId, { userId: "ada", email: EMAIL });
  await add(theirs, "acme", { userId: "ada", email: EMAIL });
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["off"], disabled: true });
  await workspace.data("/v2/organizations/delete", { organizationIds: ["gone"] });
  for (const person of [{ userId: "ada" }, { email: EMAIL }]) {
    expect(await getPlaces(workspace, person)).toEqual([["off", "ada"]]);
  }
});

test("the pages together are all matches", async () => {
  const workspace = await service.workspace();
  for (const organizationId of ["a", "b", "c"]) {
    await add(workspace, organizationId, { userId: "1", email: EMAIL }, { userId: "2", email: EMAIL });
  }
  const places: string[] = [];
  let pageToken: string | undefined;
  do {
    const request = { email: EMAIL, pageSize: 2, ...(pageToken && { pageToken }) };
    const { data, nextPageToken } = await workspace.result(PATH, request);
    expect(data.length).toBeLessThanOrEqual(2);
    places.push(...data.map(({ organizationId, user }) => `${organizationId}${user.userId}`));
    pageToken = nextPageToken;
  } while (pageToken);
  expect(places).toEqual(["a1", "a2", "b1", "b2", "c1", "c2"]);
});

test("no filter, both filters, or an invalid address is INVALID_ARGUMENT with a message that says so", async () => {
  const workspace = await service.workspace();
  const both = { userId: "ada", email: EMAIL };
  expect(await workspace.error(PATH, {})).toMatchObject({ message: "data must have one of userId, email" });
  expect(await workspace.error(PATH, both)).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: "data.email must not be sent together with userId",
  });
  expect(await workspace.error(PATH, { email: "ada" })).toMatchObject({
    message: expect.stringMatching(/^data\.email must be an email address/),
  });
});

test("a deleted user is not found, and no table contains the address", async () => {
  const workspace = await service.workspace();
  const email = "ada-88@person.example";
  await add(workspace, "acme", { userId: "ada-88", email }, { userId: "grace", manager: { userId: "ada-88", email } });
  await deleteUserDataAndWait(workspace, ["ada-88"]);
  expect(await find(workspace, { email })).toEqual([]);
  expect(await findRowsContaining(service.database, [email])).toEqual([]);
});
