import type { Static } from "typebox";
import type { CollaborativeDocument } from "../../crdt/collaborative-document.ts";
import { selectCollaborativeDocument } from "../../crdt/crdt-queries.ts";
import { compactDocuments } from "../../crdt/stored/compact.ts";
import { openOrganization, transactionalOrganization } from "../../tenancy/organization-scope.ts";
import type { Reading } from "./comment-facts.ts";
import type { WebhookEvent } from "./event.ts";
import { selectDocumentName } from "./webhook-payload-queries.ts";

/**
 * Reads the fields of a body about a collaborative document, with its content as it is now. Only the ID is reported if
 * it was deleted since, or its organization or document is disabled. Nobody is the acting user: the event reports the
 * changes of several seconds, and Yjs does not record who made them.
 */
export async function readCrdtFacts({ workspace, database }: Reading, event: WebhookEvent) {
  const scope = openOrganization(database, workspace, event.organizationId);
  const id = String(event.subject.editorId);
  const document = { documentId: event.documentId ?? "", editorId: id };
  await compactDocuments(transactionalOrganization(database, scope.key), document.documentId, id);
  const { records, extra: block } = await selectCollaborativeDocument(scope, document, false);
  const [found]: Static<typeof CollaborativeDocument>[] = block === null ? JSON.parse(records) : [];
  const { data, lastUpdatedBy, sessionId, lastUpdate } = found ?? {};
  return {
    documentName: await selectDocumentName(scope, document.documentId),
    fields: { actionUser: undefined, crdtData: { id, data, lastUpdatedBy, sessionId, lastUpdate } },
  };
}
