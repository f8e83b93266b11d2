import { expect, test } from "vitest";
import { startTestService } from "../../../test/harness.ts";

const PATH = "/v2/workspace/search/get";
const service = await startTestService();

async function filledWorkspace() {
  const workspace = await service.workspace();
  const acme = { organizationId: "acme", organizationName: "Zebra Ltd" };
  await workspace.data("/v2/organizations/add", { organizations: [acme, { organizationId: "globex" }] });
  const users = [
    { userId: "u-1", name: "Ada Lovelace", email: "Countess@example.com" },
    { userId: "ada", name: "Grace\0 Hopper" },
  ];
  await workspace.data("/v2/users/add", { organizationId: "acme", users });
  await workspace.data("/v2/users/add", { organizationId: "globex", users: users.slice(0, 1) });
  const documents = [{ documentId: "contract-7", documentName: "Adaptation plan" }, { documentId: "Ada" }];
  await workspace.data("/v2/organizations/documents/add", { organizationId: "acme", documents });
  return workspace;
}

test("organizations, users and documents are found by the start of ID, name and address", async () => {
  const workspace = await filledWorkspace();
  const find = (search: string) => workspace.data(PATH, { search });
  const lovelace = { userId: "u-1", name: "Ada Lovelace", email: "Countess@example.com" };
  expect(await find("zeb")).toEqual({
    organizations: [{ id: "acme", organizationName: "Zebra Ltd" }],
    users: [],
    documents: [],
  });
  expect(await find("glob")).toMatchObject({ organizations: [{ id: "globex", organizationName: "" }] });
  expect((await find("COUNTESS@")).users).toEqual([
    { organizationId: "acme", ...lovelace },
    { organizationId: "globex", ...lovelace },
  ]);
  expect((await find("grace")).users).toEqual([{ organizationId: "acme", userId: "ada", name: "Grace\0 Hopper" }]);
  expect(await find("contract")).toMatchObject({
    documents: [{ organizationId: "acme", id: "contract-7", documentName: "Adaptation plan" }],
  });
});

test("exact matches come first, and each match once", async () => {
  const workspace = await filledWorkspace();
  const { users, documents } = await workspace.data(PATH, { search: "ada" });
  expect(users.map(({ organizationId, userId }) => [organizationId, userId])).toEqual([
    ["acme", "ada"],
    ["acme", "u-1"],
    ["globex", "u-1"],
  ]);
  expect(documents.map(({ id }) => id)).toEqual(["contract-7"]);
  expect((await workspace.data(PATH, { search: "Ada" })).documents.map(({ id }) => id)).toEqual(["Ada", "contract-7"]);
  expect((await workspace.data(PATH, { search: "ada", limit: 1 })).users).toHaveLength(1);
});

test("a search finds nothing of other workspaces, of deleted organizations, or by patterns", async () => {
  const workspace = await filledWorkspace();
  const nothing = { organizations: [], users: [], documents: [] };
  expect(await (await service.workspace()).data(PATH, { search: "a" })).toEqual(nothing);
  for (const search of ["%", "_", "\u{10ffff}", "'"]) expect(await workspace.data(PATH, { search })).toEqual(nothing);
  await workspace.data("/v2/organizations/delete", { organizationIds: ["acme"] });
  expect(await workspace.data(PATH, { search: "ad" })).toMatchObject({
    organizations: [],
    users: [{ organizationId: "globex" }],
    documents: [],
  });
});
