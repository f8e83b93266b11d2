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

test("organizations, users and documents are found by ID, name and address", async () => {
  const workspace = await filledWorkspace();
  const find = (search: string) => workspace.data(PATH, { search });
  const lovelace = { userId: "u-1", name: "Ada Lovelace", email: "Countess@example.com" };
  expect(await find("zeb")).toEqual({
    organizations: [{ id: "acme", organizationName: "Zebra Ltd" }],
    users: [],
    documents: [],
  });
  expect(await find(" zeb ")).toEqual(await find("zeb"));
  expect(await find("glob")).toMatchObject({ organizations: [{ id: "globex", organizationName: "" }] });
  expect((await find("COUNTESS@")).users).toEqual([{ organizationId: "acme", ...lovelace }]);
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
  ]);
  expect(documents.map(({ id }) => id)).toEqual(["Ada", "contract-7"]);
  expect((await workspace.data(PATH, { search: "ada", limit: 1 })).users).toHaveLength(1);
});

test("a user of many organizations leaves room for others", async () => {
  const workspace = await service.workspace();
  const users = [{ userId: "sam", name: "Sam Gamgee" }];
  const organizations = Array.from({ length: 70 }, (_, index) => ({ organizationId: `organization-${100 + index}` }));
  await workspace.data("/v2/organizations/add", { organizations });
  for (const { organizationId } of organizations) await workspace.data("/v2/users/add", { organizationId, users });
  const others = [{ userId: "samuel" }, { userId: "u-1", name: "Sam Gamgee" }];
  await workspace.data("/v2/users/add", { organizationId: "organization-169", users: others });
  const find = async (search: string) => {
    const found = await workspace.data(PATH, { search, limit: 2 });
    return found.users.map(({ userId }) => userId);
  };
  expect(await find("sam")).toEqual(["sam", "samuel"]);
  expect(await find("sam g")).toEqual(["sam", "u-1"]);
  expect(await find("gam")).toEqual(["sam", "u-1"]);
});

test("any part of a name, ID or address is found, the sooner in it the better", async () => {
  const workspace = await service.workspace();
  const organizations = [{ organizationId: "o-1", organizationName: "North-Sea Harbor (Team \u00c9tude) Five" }];
  await workspace.data("/v2/organizations/add", { organizations });
  const users = [
    { userId: "u-1", name: "Augusta Ada King Lovelace", email: "king@analytical.example" },
    { userId: "u-2", name: "  Lovelock,\tJames\0" },
    { userId: "u-3", name: "Lovelace" },
  ];
  await workspace.data("/v2/users/add", { organizationId: "o-1", users });
  const documents = [{ documentId: "d-1", documentName: "Plan: the lease of a harbor" }];
  await workspace.data("/v2/organizations/documents/add", { organizationId: "o-1", documents });
  const find = async (search: string) => {
    const found = await workspace.data(PATH, { search });
    const ids = [...found.organizations, ...found.documents].map(({ id }) => id);
    return [...ids, ...found.users.map(({ userId }) => userId)];
  };
  expect(await find("love")).toEqual(["u-3", "u-2", "u-1"]);
  expect(await find("ovelace")).toEqual(["u-3", "u-1"]);
  expect(await find("analytical.EXAMPLE")).toEqual(["u-1"]);
  expect(await find("JAM")).toEqual(["u-2"]);
  for (const search of ["arbor (", "five", "\u00c9tude"]) expect(await find(search)).toEqual(["o-1"]);
  expect(await find("of a harbor")).toEqual(["d-1"]);
  // Only A to Z match in both cases.
  expect(await find("\u00e9tude")).toEqual([]);
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
