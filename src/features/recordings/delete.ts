import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { buildRecordingEvents } from "./event-log.ts";
import { deleteMatchingRecordings } from "./recording-queries.ts";

const DeleteRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentId: Type.Optional(Identifier),
    recordingIds: Type.Optional(Identifiers),
  }),
  (request) => Boolean(request.documentId ?? request.recordingIds),
  () => "must have at least one of documentId, recordingIds",
);

/** Deletes the recordings that match all given filters. */
export const deleteRecordings = operation({
  path: "/v2/recordings/delete",
  summary: "Delete recordings",
  description:
    "Deletes the recordings that match all fields sent, at least one of `documentId` and `recordingIds`. With " +
    "`recordingIds` the response has an item for each of these IDs, otherwise one for each deleted recording (the " +
    "first 50,000). The files that `attachments` link to are not deleted.",
  message: "Recordings deleted.",
  scope: "write",
  request: DeleteRequest,
  deletes: ["recordingIds", "documentId"],
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", recordingIds: ["recording-1", "recording-2"] },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, documentId, recordingIds }: Static<typeof DeleteRequest>,
) {
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    return deleteMatchingRecordings(scope, { documentId, ids: recordingIds }, (recordings) =>
      recordEvents(scope, buildRecordingEvents("recorder.delete", recordings)),
    );
  });
  return keyedById(
    [...(recordingIds ?? deleted)].map((id) => [
      id,
      deleted.has(id)
        ? { success: true, message: "Recording deleted." }
        : { success: false, message: "Recording not found." },
    ]),
  );
}
