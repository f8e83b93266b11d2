import { expect, test } from "vitest";
import { startTestService } from "../../../test/harness.ts";
import {
  addToGroup,
  DOCUMENTS,
  deleteRecords,
  hashKey,
  ORGANIZATIONS,
  readGroups,
  readRecordIds,
  readRecords,
  setDisabled,
  USERS,
  writeRecords,
} from "../../../test/organizations.ts";

const service = await startTestService();
const FULL = {
  userId: "ada",
  name: "Ada Lovelace",
  email: "ada@example.com",
  photoUrl: "https://example.com/ada.png",
  accessRole: "editor",
  id: "mine",
  team: { name: "legal" },
};

test("the response lists each user with the user key: 16 bytes of the SHA-256 of the user id", async () => {
  const workspace = await service.workspace();
  const message = "User added.";
  expect(await writeRecords(workspace, USERS, "add", ["ada", "größe / 7"])).toEqual({
    ada: { success: true, id: hashKey("ada"), message },
    "größe / 7": { success: true, id: hashKey("größe / 7"), message },
  });
});

test("a user is read back with every sent field, and the first letter of the name as initial", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, USERS, "add", [FULL]);
  expect(await readRecords(workspace, USERS)).toEqual([{ ...FULL, initial: "A" }]);
});

test("adding an existing user replaces the record as a whole, and keeps groups and document access", async () => {
  const workspace = await service.workspace();
  await addToGroup(workspace, "legal", ["ada"]);
  await writeRecords(workspace, USERS, "add", [FULL], { documentId: "contract" });
  await writeRecords(workspace, USERS, "add", [{ userId: "ada", name: "Ada" }]);
  expect(await readRecords(workspace, USERS, { documentId: "contract" })).toEqual([
    { userId: "ada", name: "Ada", initial: "A", accessRole: "editor" },
  ]);
  expect(await readGroups(workspace)).toEqual({ legal: ["ada"] });
});

test.each([" p@example.com", "p@example.com\r\n", "\u00a0p@example.com\u3000", "\ufeffp@example.com\t"])(
  "the white space around the address %j is removed",
  async (email) => {
    const workspace = await service.workspace();
    for (const verb of ["add", "update"] as const) {
      await writeRecords(workspace, USERS, verb, [{ userId: "ada", email }]);
      expect(await readRecords(workspace, USERS)).toMatchObject([{ userId: "ada", email: "p@example.com" }]);
    }
  },
);

test("a user may have an empty address", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, USERS, "add", [{ userId: "ada", email: "" }]);
  expect(await readRecords(workspace, USERS)).toMatchObject([{ userId: "ada", email: "" }]);
});

const NO_ADDRESSES = [
  "Ada <p@example.com>",
  "mailto:p@example.com",
  "p@x.org, q@x.org",
  "p @x.org",
  "p",
  "p@x.org\u200b",
];

test.each([
  ...[{ accessRole: "owner" }, { accessRole: null }, { name: 7 }, { email: null }, { photoUrl: {} }],
  ...NO_ADDRESSES.map((email) => ({ email })),
])("%j is INVALID_ARGUMENT that names the field, and no user is added", async (wrong) => {
  const workspace = await service.workspace();
  for (const verb of ["add", "update"]) {
    const users = [{ userId: "good" }, { userId: "bad", ...wrong }];
    const error = await workspace.error(`/v2/users/${verb}`, { organizationId: "acme", users });
    const message = expect.stringContaining(`data.users[1].${Object.keys(wrong)[0]} must be`);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message });
  }
  expect(await readRecords(workspace, USERS)).toEqual([]);
});

test("the first users create their organization and document", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, USERS, "add", ["ada"], { documentId: "contract" });
  expect(await readRecordIds(workspace, ORGANIZATIONS)).toEqual(["acme"]);
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["contract"]);
});

test("createOrganization false fails every user of a missing organization and creates nothing", async () => {
  const workspace = await service.workspace();
  const flags = { createOrganization: false, documentId: "contract" };
  const results = await writeRecords(workspace, USERS, "add", ["ada", "grace"], flags);
  const error = { success: false, message: "Organization not found." };
  expect(results).toMatchObject({ ada: error, grace: { ...error, id: hashKey("grace") } });
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([]);
  await writeRecords(workspace, ORGANIZATIONS, "add", ["acme"]);
  expect(await writeRecords(workspace, USERS, "add", ["ada"], flags)).toMatchObject({ ada: { success: true } });
});

test("createDocument false fails every user of a missing document, and creates no organization", async () => {
  const workspace = await service.workspace();
  const flags = { createDocument: false, documentId: "contract" };
  const error = { success: false, message: "Document not found." };
  expect(await writeRecords(workspace, USERS, "add", ["ada"], flags)).toMatchObject({ ada: error });
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([]);
  await writeRecords(workspace, DOCUMENTS, "add", ["contract"]);
  expect(await writeRecords(workspace, USERS, "add", ["ada"], flags)).toMatchObject({ ada: { success: true } });
});

test("createDocument false without a document has no effect", async () => {
  const workspace = await service.workspace();
  expect(await writeRecords(workspace, USERS, "add", ["ada"], { createDocument: false })).toMatchObject({
    ada: { success: true },
  });
});

test("the users of a disabled organization can be managed, with documents too", async () => {
  const workspace = await service.workspace();
  await setDisabled(workspace, true);
  for (const scope of [{}, { documentId: "contract" }]) await writeRecords(workspace, USERS, "add", [FULL], scope);
  await writeRecords(workspace, USERS, "update", [{ userId: "ada", name: "Grace" }]);
  expect(await readRecords(workspace, USERS)).toEqual([{ ...FULL, name: "Grace", initial: "G" }]);
  expect(await readRecords(workspace, USERS, { documentId: "contract" })).toHaveLength(1);
  expect(await deleteRecords(workspace, USERS, ["ada"])).toMatchObject({ ada: { success: true } });
});

test("concurrent adds of the same users in any order all succeed", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 100 }, (_, index) => `user-${1000 + index}`);
  const adds = Array.from({ length: 12 }, (_, index) =>
    writeRecords(workspace, USERS, "add", index % 2 ? ids : ids.toReversed(), { documentId: "contract" }),
  );
  for (const results of await Promise.all(adds))
    expect(Object.values(results).every(({ success }) => success)).toBe(true);
  expect(await readRecordIds(workspace, USERS, { documentId: "contract" })).toEqual(ids);
});
