import { DOCUMENT_ID, type Tenant } from "./tenant.ts";
import { type Stage, write } from "./write.ts";

const ANNOTATIONS = "/v2/commentannotations";
const TOKENS = "/v2/workspace/authtokens";
const ENDPOINTS = "/v2/workspace/advancedwebhook/endpoints";

function isOdd(index: number): boolean {
  return index % 2 === 1;
}

/** Deletions of single records. */
export const DELETIONS: Stage = {
  writes: [
    write("/v2/activities/delete", ({ organizationId }, index) => ({
      organizationId,
      activityIds: [`spare-${index}`],
    })),
    write("/v2/recordings/delete", ({ organizationId }, index) => ({
      organizationId,
      recordingIds: [`spare-${index}`],
    })),
    write("/v2/notifications/delete", ({ inDocument }, index) => ({
      ...inDocument,
      notificationIds: [isOdd(index) ? `notification-${index}` : `unknown-${index}`],
    })),
    write("/v2/notifications/restore", ({ organizationId }, index) => ({
      organizationId,
      userId: "user-0",
      notificationIds: [`notification-${index % 4 === 0 ? index : "unknown"}`],
    })),
    write(`${ANNOTATIONS}/delete`, ({ inDocument }, index) => ({ ...inDocument, annotationIds: [`spare-${index}`] })),
    write(`${ANNOTATIONS}/comments/delete`, ({ inDocument }, index) => ({
      ...inDocument,
      annotationId: `annotation-${index}`,
      commentIds: [3],
    })),
    write("/v2/reactions/delete", (tenant, index) => ({
      ...tenant.inDocument,
      annotationId: `annotation-${index}`,
      commentId: 1,
      reaction: tenant.text("spare reaction", index),
      from: { userId: "grace" },
    })),
    write("/v2/crdt/schema/update", (tenant, index) => ({
      ...tenant.inDocument,
      editorId: `editor-${index}`,
      schema: { name: tenant.text("schema", index), version: 1, nodes: ["doc"], marks: [] },
    })),
    write("/v2/crdt/versions/update", (tenant, index) => ({
      ...tenant.inDocument,
      ...{ editorId: `editor-${index}`, versionId: "version", name: tenant.text("version named again", index) },
    })),
    write("/v2/crdt/versions/restore", ({ inDocument }, index) => ({
      ...inDocument,
      editorId: `editor-${index}`,
      versionId: "version",
    })),
    write("/v2/crdt/versions/delete", ({ inDocument }, index) => ({
      ...inDocument,
      editorId: `editor-${index}`,
      versionIds: ["spare"],
    })),
    write("/v2/presence/delete", ({ inDocument }, index) => ({ ...inDocument, userIds: [`spare-${index}`] })),
    write("/v2/users/delete", ({ organizationId }, index) => ({ organizationId, userIds: [`spare-${index}`] })),
    write("/v2/organizations/usergroups/users/delete", ({ organizationId }, index) => ({
      organizationId,
      organizationUserGroupId: `group-${index}`,
      userIds: ["grace"],
    })),
    write("/v2/auth/permissions/remove", ({ organizationId }, index) => ({
      userId: isOdd(index) ? `viewer-${index}` : `unknown-${index}`,
      permissions: { resources: [{ type: "document", id: DOCUMENT_ID, organizationId }] },
    })),
    write("/v2/auth/tokens/revoke", (_tenant, index) => ({ userIds: [`guest-${index}`] })),
    write("/v2/workspace/domains/delete", ({ space, organizationId }, index) => ({
      domains: [`spare-${index}.${organizationId}.${space.name}.example`],
    })),
    write(`${TOKENS}/delete`, async (tenant, index) => ({
      tokenIds: [isOdd(index) ? await getTokenId(tenant, index) : `unknown-${index}`],
    })),
    write("/v2/workspace/advancedwebhook/deliveries/retry", (tenant, index) => ({
      endpointId: tenant.response(`${ENDPOINTS}/create`, index).id,
      deliveryId: tenant.response(`${ENDPOINTS}/test`, index).deliveryId,
    })),
    write("/v2/workspace/advancedwebhook/deliveries/recover", (tenant, index) => ({
      endpointId: tenant.response(`${ENDPOINTS}/create`, index).id,
      since: 0,
    })),
    write("/v2/workspace/sessions/delete", ({ space: { sessionIds } }, index) => ({
      sessionIds: [sessionIds[index] ?? "unknown"],
    })),
  ],
};

async function spareEndpointId(tenant: Tenant): Promise<string> {
  const url = tenant.space.receiver.url;
  return (await tenant.data(`${ENDPOINTS}/create`, { url, disabled: true })).id;
}

async function getTokenId(tenant: Tenant, index: number): Promise<string> {
  const { authTokens } = await tenant.data(`${TOKENS}/get`, {});
  const name = tenant.text("token", index);
  return authTokens.find((token) => token.name === name)?.id ?? "unknown";
}

/** Deletions and moves that a job completes. */
export const JOBS: Stage = {
  writes: [
    write("/v2/organizations/delete", ({ organizationId }, index) => ({
      organizationIds: [`${organizationId}-spare-${index}`],
    })),
    write("/v2/organizations/documents/delete", ({ organizationId }, index) => ({
      organizationId,
      documentIds: [`spare-${index}`],
    })),
    write("/v2/organizations/folders/delete", ({ organizationId }, index) => ({
      organizationId,
      folderId: `spare-${index}`,
    })),
    write("/v2/organizations/documents/migrate", ({ organizationId }, index) => ({
      organizationId,
      documentId: `old-${index}`,
      newDocumentId: `new-${index}`,
    })),
    write("/v1/users/data/delete", ({ organizationId }, index) => ({
      userIds: [`leaving-${index}`],
      organizationIds: [organizationId],
    })),
    write("/v2/crdt/delete", ({ inDocument }, index) => ({
      ...inDocument,
      editorIds: [isOdd(index) ? `editor-${index}` : `unknown-${index}`],
    })),
    write("/v1/organizations/documents/locations/data/delete", ({ space: { workspace }, inDocument }, index) => ({
      apiKey: workspace.apiKey,
      authToken: workspace.authToken,
      ...inDocument,
      location: { id: isOdd(index) ? `moved-page-${index}` : `unknown-${index}` },
    })),
    write(`${ENDPOINTS}/delete`, async (tenant, index) => ({
      endpointId: isOdd(index) ? tenant.response(`${ENDPOINTS}/create`, index).id : await spareEndpointId(tenant),
    })),
  ],
};
