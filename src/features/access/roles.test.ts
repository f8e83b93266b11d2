import { expect, test } from "vitest";
import { startTestService } from "../../../test/harness.ts";
import { getRole, grant } from "../../../test/permissions.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { ACCESS_ROLES, includesRole } from "../../contract/end-user.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { findPermittedUsers } from "./permitted-users/find-permitted-users.ts";

const service = await startTestService();
const DOCUMENT = { organizationId: "acme", documentId: "contract-7" };

test("each role includes those before it, and no role includes none", () => {
  const including = ACCESS_ROLES.map((role) => ACCESS_ROLES.filter((needed) => includesRole(role, needed)));
  expect(including).toEqual([
    ["viewer"],
    ["viewer", "commenter"],
    ["viewer", "commenter", "editor"],
    ["viewer", "commenter", "editor", "moderator"],
  ]);
  expect(ACCESS_ROLES.filter((needed) => includesRole(null, needed))).toEqual([]);
});

test("all roles are stored and read back, and verified by their order", async () => {
  const workspace = await service.workspace();
  for (const role of ACCESS_ROLES) {
    await grant(workspace, role, "document contract-7", role);
    expect(await getRole(workspace, role, "contract-7")).toBe(role);
  }
  const settings = { id: workspace.id, defaultDocumentAccessType: "restricted" as const, isContextEnabled: false };
  const organization = openOrganization(service.database, settings, "acme");
  for (const [index, needed] of ACCESS_ROLES.entries()) {
    const pairs = [...ACCESS_ROLES, "nobody"].map((userId) => ({ userId, documentId: "contract-7" }));
    const isPermitted = await findPermittedUsers(organization, pairs, needed);
    expect(pairs.filter(isPermitted).map(({ userId }) => userId)).toEqual(ACCESS_ROLES.slice(index));
  }
});

test("a user whose role does not suffice is told what is missing", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  await workspace.data("/v2/organizations/add", { organizations: [{ organizationId: "acme" }] });
  const url = `${service.address}/v2/crdt/versions/list`;
  const responses = await Promise.all(
    [undefined, ...ACCESS_ROLES].map(async (accessRole) => {
      const id = accessRole ? "contract-7" : "other";
      const resources = [{ type: "document" as const, id, organizationId: "acme", ...(accessRole && { accessRole }) }];
      const token = await tokenFor(workspace, "ada", { resources });
      const broadcast = `${service.address}/v2/livestate/broadcast`;
      const data = { ...DOCUMENT, liveStateDataId: "cursor", data: { x: 1 } };
      const read = await callWith(token, url, { ...DOCUMENT, editorId: "missing" });
      const { body } = await callWith(token, broadcast, data);
      return [read.httpStatus, Object(body).error?.message ?? "", Object(body).error?.details];
    }),
  );
  const details = { reason: "access_denied", requiredRole: "editor" };
  const needed = "The operation needs the role editor.";
  expect(responses).toEqual([
    [403, `The user has no access to document "contract-7". ${needed}`, details],
    [200, `The user can only read document "contract-7". ${needed}`, details],
    [200, `The user can only read and comment in document "contract-7". ${needed}`, details],
    [200, "", undefined],
    [200, "", undefined],
  ]);
});
