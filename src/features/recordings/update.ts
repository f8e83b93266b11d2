import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { mergeFields, splitIntoParts } from "../../json/record-texts.ts";
import { hasListeners, recordEvents } from "../event-log/record-events.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { lockEnabledRecords } from "../tenancy/record-queries.ts";
import { buildRecordingEvents } from "./event-log.ts";
import { getRecordings } from "./get.ts";
import { changeableRecordingFields } from "./recording.ts";
import { replaceRecordingRecords } from "./recording-queries.ts";

const RecordingUpdate = Type.Object({ annotationId: Identifier, ...changeableRecordingFields });

const Request = Type.Object({
  organizationId: Identifier,
  recordings: Type.Array(RecordingUpdate, { minItems: 1, maxItems: 500 }),
});

/** Replaces the given fields of recordings. An unknown id fails alone. */
export const updateRecordings = operation({
  path: "/v2/recordings/update",
  summary: "Update recordings",
  description:
    "Replaces each field that is sent as a whole and keeps the others. `latestVersion` grows by one, unless only " +
    "the `annotationId` is sent. An ID that does not exist fails alone.",
  message: "Recordings updated.",
  scope: "write",
  request: Request,
  returned: {
    by: getRecordings,
    field: "recordings",
    id: "annotationId",
    request: ({ organizationId }, recordingIds) => ({ organizationId, recordingIds }),
  },
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    recordings: [{ annotationId: "recording-1", displayName: "How clause 3 came about, in short" }],
  },
  handle,
});

async function handle({ database, workspace }: Context, { organizationId, recordings }: Static<typeof Request>) {
  const ids = recordings.map(({ annotationId }) => annotationId);
  rejectRepeatedIds(ids, "recordings", "annotationId");
  const found = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope);
    const records = await lockEnabledRecords(scope, "recordings", ids);
    const updates = recordings.flatMap((fields) => {
      const record = records.get(fields.annotationId);
      return record === undefined || isEmpty(fields) ? [] : [{ id: fields.annotationId, record, fields }];
    });
    for (const part of splitIntoParts(updates, ({ record }) => record.length)) {
      await replaceRecordingRecords(scope, mergeFields(part));
    }
    if (hasListeners(workspace)) {
      const updated = updates.map(({ id, record }) => ({ id, documentId: getDocument(record) }));
      await recordEvents(scope, buildRecordingEvents("recorder.update", updated));
    }
    return records;
  });
  return keyedById(
    ids.map((id) => [
      id,
      found.has(id)
        ? { success: true, message: "Recording updated." }
        : { success: false, message: "Recording not found." },
    ]),
  );
}

/** Returns the document that the metadata of a stored record names. */
function getDocument(record: string): string {
  return JSON.parse(record).metadata.documentId;
}

function isEmpty(update: object): boolean {
  return Object.keys(update).length === 1;
}
