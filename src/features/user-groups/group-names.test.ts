import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addToGroup } from "../../../test/organizations.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();
const GET = "/v2/organizations/usergroups/get";
const organizationId = "acme";
const ON_DOCUMENT = { resources: [{ type: "document" as const, id: "contract", organizationId }] };
const ELSEWHERE = { resources: [{ type: "organization" as const, id: "globex" }] };

async function start(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const organizationUserGroups = [{ groupId: "legal", groupName: "Legal" }, { groupId: "sales" }];
  await workspace.data("/v2/organizations/usergroups/add", { organizationId, organizationUserGroups });
  await addToGroup(workspace, "legal", ["ada"]);
  await workspace.data("/v2/organizations/usergroups/add", {
    ...{ organizationId: "globex", organizationUserGroups: [{ groupId: "secret", groupName: "Secret" }] },
  });
  return workspace;
}

async function read(token: string, request: object = {}): Promise<unknown> {
  const { body } = await callWith(token, `${service.address}${GET}`, { organizationId, ...request });
  const { result, error } = Object(body);
  return error ? error.details.reason : result.data;
}

test("a user with a permission on the organization reads the names of its groups, and no members", async () => {
  const workspace = await start();
  const groups = [
    { groupId: "legal", groupName: "Legal" },
    { groupId: "sales", groupName: "" },
  ];
  const token = await tokenFor(workspace, "frank");
  expect(await read(token)).toEqual(groups);
  expect(await read(token, { pageSize: 1 })).toEqual(groups.slice(0, 1));
  expect(await read(token, { organizationUserGroupIds: ["legal"] })).toBe("unknown_field");
});

test("groups of another organization or workspace, or of one without a permission, are hidden", async () => {
  const [workspace, other] = [await start(), await service.workspace()];
  await other.data("/v2/organizations/add", { organizations: [{ organizationId }] });
  expect(await read(await tokenFor(workspace, "ada", ON_DOCUMENT))).toEqual([]);
  expect(await read(await tokenFor(workspace, "frank", ELSEWHERE))).toEqual([]);
  expect(await read(await tokenFor(workspace, "frank"), { organizationId: "globex" })).toEqual([]);
  expect(await read(await tokenFor(other, "frank"))).toEqual([]);
});
