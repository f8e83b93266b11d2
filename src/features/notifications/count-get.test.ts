import { expect, inject, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { createTestDatabase, startOwnTestService } from "../../../test/harness.ts";
import { addNotification } from "../../../test/notifications.ts";
import { grant, removeGrant } from "../../../test/permissions.ts";
import { runSql } from "../../../test/run-sql.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { createWorkspace } from "../workspaces/workspaces.ts";
import { countInboxes } from "./inbox-queries.ts";

// Access is not cached, so that the next request sees a change.
const service = await startOwnTestService((config) => ({ limits: { ...config.limits, roleCacheMs: 0 } }));
const { organizationId } = SCOPE;
const OPEN = "contract-7";
const RESTRICTED = "contract-8";

/** Counts by a token of grace. Returns the unread notifications, and the unread annotations of both documents. */
async function countUnread(token: string): Promise<[number, number, number | string]> {
  const call = async (path: string, data: object) =>
    Object((await callWith(token, `${service.address}${path}`, { organizationId, ...data })).body);
  const inbox = await call("/v2/notifications/count/get", {});
  const annotations = (documentId: string) => call("/v2/commentannotations/count/get", { documentIds: [documentId] });
  const open = await annotations(OPEN);
  const restricted = await annotations(RESTRICTED);
  return [
    inbox.result.data.grace.unread,
    open.result.data[OPEN].unread,
    restricted.result?.data[RESTRICTED].unread ?? restricted.error.status,
  ];
}

test.each(["public", "organizationPrivate"] as const)(
  "unread counts obey a removed permission if documents are %s by default",
  async (defaultDocumentAccessType) => {
    const workspace = await service.workspace();
    await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType });
    for (const documentId of [OPEN, RESTRICTED]) {
      await addNotification(workspace, documentId, { documentId });
      const comment = { commentText: "Hello", from: { userId: "ada" } };
      const annotations = { organizationId, documentId, commentAnnotations: [{ commentData: [comment] }] };
      await workspace.data("/v2/commentannotations/add", annotations);
    }
    const restricted = { organizationId, documentIds: [RESTRICTED], accessType: "restricted" as const };
    await workspace.data("/v2/organizations/documents/access/update", restricted);
    await grant(workspace, "grace", `document ${RESTRICTED}`, "viewer");
    const token = await tokenFor(workspace, "grace");
    expect(await countUnread(token)).toEqual([2, 1, 1]);
    await removeGrant(workspace, "grace", `document ${RESTRICTED}`);
    expect(await countUnread(token)).toEqual([1, 1, "PERMISSION_DENIED"]);
  },
);

// Citus plans statements of several nodes itself.
const IS_CITUS = inject("serverUrls").length > 1;

test.skipIf(IS_CITUS)("PostgreSQL does not plan the statement of a count again in each call", async () => {
  const { database } = await createTestDatabase({ connections: 1 });
  const { workspaceId: id } = await createWorkspace(database, { name: "default" });
  const settings = { id, defaultDocumentAccessType: "organizationPrivate", isContextEnabled: false } as const;
  const organization = openOrganization(database, settings, organizationId);
  for (let count = 0; count < 6; count += 1) {
    await countInboxes(organization, { userIds: ["grace"], tokenGrants: { grants: [] } }, {});
  }
  const plans = await runSql(
    database,
    "select generic_plans::int as generic from pg_prepared_statements where statement like '%counted.user_id%'",
  );
  expect(plans).toEqual([{ generic: 1 }]);
});
