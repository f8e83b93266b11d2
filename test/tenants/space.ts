import type { OwnTestService } from "../harness.ts";
import { ownedWorkspace, signIn } from "../sessions.ts";
import { createEndpoint, startReceiver } from "../webhooks.ts";
import { ORGANIZATION_IDS, type Space, Tenant } from "./tenant.ts";
import { CALLS } from "./write.ts";

/** Users whom the records name. */
const PEOPLE = ["ada", "grace"];

/** Creates a workspace with two tenants of two users each, sessions of its owner, and a webhook endpoint. */
export async function createSpace(service: OwnTestService, name: string, addresses: string[]): Promise<Space> {
  const owner = `owner@${name}.example`;
  const workspace = await ownedWorkspace(service, owner);
  for (let count = 0; count <= CALLS; count++) await signIn(service, owner);
  const sessions = await workspace.data("/v2/workspace/sessions/get", {});
  const receiver = await startReceiver();
  const endpointId = await createEndpoint(workspace, { url: `${receiver.url}/all` });
  const sessionIds = sessions.map(({ id }) => id);
  const space: Space = { name, workspace, receiver, addresses, sessionIds, endpointId, tenants: [] };
  space.tenants = ORGANIZATION_IDS.map((organizationId) => new Tenant(space, organizationId));
  for (const tenant of space.tenants) {
    const users = PEOPLE.map((userId) => ({ ...tenant.user(userId), accessRole: "editor" as const }));
    await tenant.data("/v2/users/add", { organizationId: tenant.organizationId, users });
    await tenant.data("/v2/organizations/documents/add", {
      organizationId: tenant.organizationId,
      documents: [{ documentId: tenant.inDocument.documentId, documentName: tenant.text("contract", 0) }],
    });
    tenant.firstCursor = (await tenant.data("/v2/events/get", { organizationId: tenant.organizationId })).cursor;
    const { token } = await tenant.data("/v2/auth/generate_token", {
      userId: "grace",
      userProperties: tenant.profile("grace"),
      permissions: { resources: [{ type: "organization", id: tenant.organizationId }] },
    });
    tenant.userToken = token;
  }
  return space;
}
