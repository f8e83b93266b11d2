import type { Static } from "typebox";
import type { Recording } from "../../recordings/recording.ts";
import { selectRecordingPage } from "../../recordings/recording-queries.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import type { Reading } from "./comment-facts.ts";
import type { WebhookEvent } from "./event.ts";
import { selectDocumentName } from "./webhook-payload-queries.ts";

/**
 * Reads the fields of a body about a recording, as it is now. Of one that was deleted since, or whose organization or
 * document is disabled, only the ID is reported. The service keeps the files of the latest version only.
 */
export async function readRecorderFacts({ workspace, database }: Reading, event: WebhookEvent) {
  const scope = openOrganization(database, workspace, event.organizationId);
  const recorderId = String(event.subject.annotationId);
  const filters = { documentId: event.documentId ?? "", ids: [recorderId] };
  const page = { pageSize: 1, after: undefined };
  const { records, extra: block } = await selectRecordingPage(scope, filters, page);
  const [recording]: Static<typeof Recording>[] = block === null ? JSON.parse(records) : [];
  return {
    documentName: await selectDocumentName(scope, event.documentId ?? ""),
    fields: {
      actionUser: recording?.from,
      recorderId,
      from: recording?.from,
      assets: recording?.attachments,
      assetsAllVersions: recording?.attachments,
    },
  };
}
