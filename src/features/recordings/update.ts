import Type, { type Static } from "typebox";
import { ChangeResult, toChangeItems } from "../../contract/change-items.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, perId } from "../../contract/schema.ts";
import { mergeFields, splitIntoParts } from "../../json/record-texts.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { completeUploads } from "../files/complete-uploads.ts";
import { referenceFiles } from "../files/reference-files.ts";
import { findDeniedChanges } from "../permitted-changes/find-denied-changes.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { lockEnabledRecords } from "../tenancy/record-queries.ts";
import { CHANGE_RECORDINGS, intendChange } from "./end-user-rules.ts";
import { buildRecordingEvents } from "./event-log.ts";
import { getRecordings } from "./get.ts";
import { changeableRecordingFields, readRecording } from "./recording.ts";
import { replaceRecordingRecords } from "./recording-queries.ts";

const RecordingUpdate = Type.Object({ annotationId: Identifier, ...changeableRecordingFields });

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Type.Optional(Identifier),
  recordings: Type.Array(RecordingUpdate, { minItems: 1, maxItems: 500 }),
});

/** Replaces the given fields of recordings. An unknown id fails alone. */
export const updateRecordings = operation({
  path: "/v2/recordings/update",
  summary: "Update recordings",
  description:
    "Replaces each field that is sent as a whole and keeps the others. `latestVersion` grows by one, unless only " +
    "the `annotationId` is sent. An ID that does not exist, or not in `documentId`, fails alone. Users who are not " +
    "moderators update their own recordings; those of others fail with the `reason` `access_denied`.",
  message: "Recordings updated.",
  scope: "write",
  endUsers: CHANGE_RECORDINGS,
  request: Request,
  returned: {
    by: getRecordings,
    field: "recordings",
    id: "annotationId",
    request: ({ organizationId, documentId }, recordingIds) => ({ organizationId, documentId, recordingIds }),
  },
  response: perId(ChangeResult),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    recordings: [{ annotationId: "recording-1", displayName: "How clause 3 came about, in short" }],
  },
  handle,
});

async function handle(
  { database, workspace, user, files }: Context,
  { organizationId, documentId, recordings }: Static<typeof Request>,
) {
  const ids = recordings.map(({ annotationId }) => annotationId);
  rejectRepeatedIds(ids, "recordings", "annotationId");
  await completeUploads({ database, workspace, files }, organizationId, recordings);
  const updated = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    const records = await lockEnabledRecords(scope, "recordings", ids);
    const stored = [...records].map(([id, record]) => ({ id, record, ...readRecording(record) }));
    const named = stored.filter((one) => documentId === undefined || one.documentId === documentId);
    const denied = await findDeniedChanges(
      scope,
      intendChange(user, documentId),
      named.map(({ id, authorId }) => [id, { authorId }]),
    );
    const found = new Map(named.filter(({ id }) => !denied.has(id)).map((one) => [one.id, one]));
    const updates = recordings.flatMap((fields) => {
      const recording = found.get(fields.annotationId);
      return !recording || isEmpty(fields) ? [] : [{ ...recording, fields, userId: user?.userId }];
    });
    const owning = updates.map(({ id, fields }) => ({ owner: { recordingId: id }, record: fields }));
    const owned = await referenceFiles(scope, owning, user?.userId);
    const changes = updates.map((update, index) => ({ ...update, fields: owned[index] ?? update.fields }));
    for (const part of splitIntoParts(changes, ({ record }) => record.length)) {
      await replaceRecordingRecords(scope, mergeFields(part));
    }
    await recordEvents(scope, buildRecordingEvents("recorder.update", updates));
    return { changed: new Set(found.keys()), denied };
  });
  return toChangeItems(updated, { changed: "Recording updated.", missing: "Recording not found." }, ids);
}

function isEmpty(update: object): boolean {
  return Object.keys(update).length === 1;
}
