import Type, { type Static } from "typebox";
import { ChangeResult, toChangeItems } from "../../contract/change-items.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers, perId } from "../../contract/schema.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { findDeniedChanges } from "../permitted-changes/find-denied-changes.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { CHANGE_RECORDINGS, intendChange } from "./end-user-rules.ts";
import { buildRecordingEvents } from "./event-log.ts";
import { deleteMatchingRecordings, selectRecordingIds } from "./recording-queries.ts";

const DeleteRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentId: Type.Optional(Identifier),
    recordingIds: Type.Optional(Identifiers),
  }),
  (request) => Boolean(request.documentId ?? request.recordingIds),
  () => "must have at least one of documentId, recordingIds",
);

/** Stands for all recordings of other users. */
const OTHERS = "others";

/** Deletes the recordings that match all given filters. */
export const deleteRecordings = operation({
  path: "/v2/recordings/delete",
  summary: "Delete recordings",
  description:
    "Deletes the recordings that match all fields sent, at least one of `documentId` and `recordingIds`. With " +
    "`recordingIds` the response has an item for each of these IDs, otherwise one for each deleted recording (the " +
    "first 50,000). Files that were uploaded are deleted, those that `attachments` link to are not. Users " +
    "who are not moderators delete their own recordings; those of others fail with the `reason` `access_denied`.",
  message: "Recordings deleted.",
  scope: "write",
  endUsers: CHANGE_RECORDINGS,
  request: DeleteRequest,
  deletes: ["recordingIds", "documentId"],
  response: perId(ChangeResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", recordingIds: ["recording-1", "recording-2"] },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, documentId, recordingIds }: Static<typeof DeleteRequest>,
) {
  const matching = { documentId, ids: recordingIds };
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    const lacked = await findDeniedChanges(scope, intendChange(user, documentId), [[OTHERS, {}]]);
    const requiredRole = lacked.get(OTHERS);
    const filters = { ...matching, userId: requiredRole && user?.userId };
    const changed = await deleteMatchingRecordings(scope, filters, async (recordings) => {
      const byUser = recordings.map((recording) => ({ ...recording, userId: user?.userId }));
      await recordEvents(scope, buildRecordingEvents("recorder.delete", byUser));
    });
    if (!requiredRole) return { changed, denied: new Map() };
    const left = await selectRecordingIds(scope, matching);
    return { changed, denied: new Map(left.map((id) => [id, requiredRole])) };
  });
  return toChangeItems(deleted, { changed: "Recording deleted.", missing: "Recording not found." }, recordingIds);
}
