import type { Static } from "typebox";
import { MAX_THREADED_BODY_BYTES } from "../../contract/body-limit.ts";
import { ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { newId } from "../../database/new-id.ts";
import { inOrganization, openOrganization, transactionalOrganization } from "../tenancy/organization-scope.ts";
import { selectAnchors } from "./anchors/anchored-annotation-queries.ts";
import { renewAddedAnchors } from "./anchors/renew-added-anchors.ts";
import { buildRecord, CollaborativeDocumentContent, changeContent, DATA_RULES } from "./collaborative-document.ts";
import { insertCollaborativeDocument } from "./crdt-queries.ts";
import { getCrdt } from "./get.ts";

/** Creates a collaborative document. Exactly one of several concurrent calls with the same IDs succeeds. */
export const addCrdt = operation({
  path: "/v2/crdt/add",
  summary: "Create a collaborative document",
  description:
    "Creates a Yjs document that shares `data` under the name `contentKey`, by default `content`. If `editorId` " +
    `exists in the document, the call is ALREADY_EXISTS and changes nothing.\n\n${DATA_RULES}`,
  message: "Collaborative document created.",
  scope: "write",
  request: CollaborativeDocumentContent,
  returned: {
    by: getCrdt,
    id: "editorId",
    returnedId: "id",
    request: ({ organizationId, documentId, editorId }) => ({ organizationId, documentId, editorId }),
  },
  maxBodyBytes: MAX_THREADED_BODY_BYTES,
  errors: ["ALREADY_EXISTS", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    editorId: "clause-3",
    type: "text",
    data: "Payment is due within thirty days.",
  },
  handle,
});

async function handle(
  { database, earlyReads, workspace }: Context,
  {
    organizationId,
    documentId,
    editorId,
    type,
    contentKey = "content",
    data,
    userId,
    schema,
  }: Static<typeof CollaborativeDocumentContent>,
) {
  const early = openOrganization(earlyReads, workspace, organizationId);
  const anchors = await selectAnchors(early, { documentId, editorIds: [editorId] });
  const author = userId === undefined ? undefined : { id: newId(), userId };
  const owner = { workspaceId: workspace.id, organizationKey: early.key };
  const authorId = author?.id ?? null;
  const { content, ...created } = await changeContent(owner, { type, contentKey, data, authorId, anchors });
  const record = buildRecord(editorId, type, contentKey, content);
  const isNew = await inOrganization(database, workspace, organizationId, (scope) =>
    insertCollaborativeDocument(scope, {
      ...created,
      documentId,
      editorId,
      type,
      contentKey,
      record,
      author,
      schema: schema ? JSON.stringify(schema) : null,
    }),
  );
  if (!isNew) {
    throw new ServiceError(
      "already_exists",
      `Collaborative document ${JSON.stringify(editorId)} exists already; /v2/crdt/update replaces its content.`,
    );
  }
  const { renewedAnchors } = created;
  await renewAddedAnchors(
    transactionalOrganization(database, early.key),
    { documentId, editorId },
    { anchors, renewedAnchors },
  );
  return undefined;
}
