import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { grant } from "../../../test/permissions.ts";

const service = await startTestService();

test("a user with the ID reason does not replace the reason of the error", async () => {
  const workspace = await service.workspace();
  await grant(workspace, "reason", "document d", "viewer");
  const asked = { organizationId: "acme", userIds: ["reason", "__proto__"], documentIds: ["d", "missing"] };
  const { details = {} } = await workspace.error("/v2/auth/permissions/get", asked);
  const documents = { d: { accessRole: "viewer" }, missing: { errorCode: "does_not_exist" } };
  expect(details).toMatchObject({ reason: "not_found", __reason: { documents } });
  expect(Object.keys(details)).toEqual(["reason", "__reason", "__proto__"]);
});

test("an annotation with the ID reason does not replace the reason of the error", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await grant(workspace, "ada", "organization");
  const by = (userId: string) => [{ commentText: "x", from: { userId } }];
  const commentAnnotations = [{ annotationId: "reason", commentData: by("ada") }, { commentData: by("grace") }];
  const request = { ...SCOPE, commentAnnotations, verifyUserPermissions: true };
  expect((await workspace.error("/v2/commentannotations/add", request)).details).toMatchObject({
    ...{ reason: "access_denied", __reason: { success: true }, "__denied:1": { success: false } },
  });
});
