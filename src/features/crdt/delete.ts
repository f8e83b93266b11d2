import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers } from "../../contract/schema.ts";
import type { NewEvent } from "../event-log/event.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization, openOrganization } from "../tenancy/organization-scope.ts";
import { selectAnchors } from "./anchors/anchored-annotation-queries.ts";
import { detachAnchors } from "./anchors/renew-anchors.ts";
import { writeAnchors } from "./anchors/write-anchors.ts";
import type { CollaborativeDocumentRef } from "./collaborative-document-ref.ts";
import { deleteCollaborativeDocuments } from "./crdt-queries.ts";
import { notifyProcesses } from "./stored/notify-processes.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  editorIds: Type.Optional(Identifiers),
});

/** Deletes collaborative documents and closes their connections. Succeeds for missing ones too. */
export const deleteCrdt = operation({
  path: "/v2/crdt/delete",
  summary: "Delete collaborative documents",
  description:
    "Deletes the collaborative documents with these IDs or, without `editorIds`, all of the document. Deleting one " +
    "that does not exist succeeds. `/v2/crdt/add` can create one with the same ID again.",
  message: "Collaborative documents deleted.",
  scope: "write",
  request: Request,
  deletes: ["editorIds", "documentId"],
  response: Type.Object({}),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", editorIds: ["clause-3"] },
  handle,
});

async function handle(
  { database, workspace, log }: Context,
  { organizationId, documentId, editorIds }: Static<typeof Request>,
) {
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    const ids = await deleteCollaborativeDocuments(scope, documentId, editorIds);
    const anchors = await selectAnchors(scope, { documentId, editorIds: ids });
    await writeAnchors(scope, documentId, detachAnchors(anchors));
    const documents = ids.map((editorId) => ({ documentId, editorId }));
    await recordEvents(scope, documents.map(buildEvent));
    return documents;
  });
  await notifyProcesses(openOrganization(database, workspace, organizationId), deleted, log);
  return {};
}

function buildEvent({ documentId, editorId }: CollaborativeDocumentRef): NewEvent {
  return { documentId, kind: "crdt.delete", subject: { editorId } };
}
