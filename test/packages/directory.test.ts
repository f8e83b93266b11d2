import { expect, test } from "vitest";
import { findUsers } from "../../packages/client/src/stores/index.ts";
import { addAnnotations } from "../comments.ts";
import { SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { openPage } from "./store-page.ts";

const service = await startTestService();
const { organizationId, documentId } = SCOPE;

test("a page without searchUsers finds users and groups of the organization, and the users of a document", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  const names = ["Zoë Müller", "Álvaro Ruiz", "Ruth Zola"];
  const users = names.map((name, index) => ({ userId: `user-${index}`, name, accessRole: "viewer" as const }));
  await workspace.data("/v2/users/add", { organizationId, users });
  const organizationUserGroups = [{ groupId: "user-0", groupName: "Zoologists" }, { groupId: "ops" }];
  await workspace.data("/v2/organizations/usergroups/add", { organizationId, organizationUserGroups });
  await workspace.data("/v2/users/add", {
    ...SCOPE,
    users: [{ userId: "guest", name: "Guest", accessRole: "viewer" }],
  });
  const { session, replace } = await openPage(service.address, workspace);
  const find = async (text: string, place = {}) => (await findUsers(session, text, place)).map(({ name }) => name);

  replace("/v2/users/get", () => new Response("{}", { status: 400 }));
  await expect(find("")).rejects.toThrow();
  expect(await find("")).toEqual(["Álvaro Ruiz", "ops", "Ruth Zola", "Zoë Müller", "Zoologists"]);
  replace("/v2/users/get", () => new Response("{}", { status: 400 }));
  expect(await find("zo")).toEqual(["Ruth Zola", "Zoë Müller", "Zoologists"]);
  expect((await findUsers(session, "zoologists"))[0]).toEqual({ userId: "user-0", name: "Zoologists", isGroup: true });
  expect(await find("MULLER")).toEqual(["Zoë Müller"]);
  expect(await find("uth")).toEqual([]);
  await expect(find("gu", { documentId })).rejects.toThrow();
  expect(await find("gu", { documentId })).toEqual(["Guest"]);
  expect(await find("zoe m", { documentId })).toEqual(["Zoë Müller"]);
});
