import { expect, test } from "vitest";
import { startTestService } from "../../../test/harness.ts";
import { resourceNamed } from "../../../test/permissions.ts";

const service = await startTestService();
const permissions = { resources: [resourceNamed("document d"), resourceNamed("folder root")] };
const userProperties = { name: "Ada", email: "ada@example.com" };

test.each([
  ["/v2/auth/permissions/add", { user: { userId: "ada" }, permissions }],
  ["/v2/auth/permissions/remove", { userId: "ada", permissions }],
  ["/v2/auth/generate_token", { userId: "ada", userProperties, permissions }],
])("%s rejects the top level as a folder, as all operations on folders do", async (path, request) => {
  const workspace = await service.workspace();
  expect(await workspace.error(path, request)).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: "data.permissions.resources[1].id must not be root, the reserved ID of the top level",
  });
});

test("/v2/users/delete and /v2/organizations/folders/delete reject it with the same message", async () => {
  const workspace = await service.workspace();
  const request = { organizationId: "acme", folderId: "root" };
  const error = {
    status: "INVALID_ARGUMENT",
    message: "data.folderId must not be root, the reserved ID of the top level",
  };
  expect(await workspace.error("/v2/users/delete", { ...request, userIds: ["ada"] })).toMatchObject(error);
  expect(await workspace.error("/v2/organizations/folders/delete", request)).toMatchObject(error);
});
