import Type from "typebox";
import { mergeFields } from "../../contract/json-text.ts";
import { operation } from "../../contract/operation.ts";
import { refuseRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { requireAccessible } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { lockEnabledRecords } from "../tenancy/queries.ts";
import { replaceRecordingRecords } from "./queries.ts";
import { changeableRecordingFields } from "./recording.ts";

const RecordingUpdate = Type.Object({ annotationId: Identifier, ...changeableRecordingFields });

/** Replaces the given fields of recordings. An unknown id fails alone. */
export const updateRecordings = operation({
  path: "/v2/recordings/update",
  summary: "Update recordings",
  description:
    "Replaces each field that is sent as a whole and keeps the others. `latestVersion` grows by one, unless only " +
    "the `annotationId` is sent. An ID that does not exist fails alone.",
  message: "Recordings updated.",
  scope: "write",
  request: Type.Object({
    organizationId: Identifier,
    recordings: Type.Array(RecordingUpdate, { minItems: 1, maxItems: 500 }),
  }),
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    recordings: [{ annotationId: "recording-1", displayName: "How clause 3 came about, in short" }],
  },
  async handle({ workspace, database }, { organizationId, recordings }) {
    const ids = recordings.map(({ annotationId }) => annotationId);
    refuseRepeatedIds(ids, "recordings", "annotationId");
    const key = organizationKey(workspace.id, organizationId);
    const found = await database.transaction(async (transaction) => {
      await requireAccessible(transaction, key, organizationId);
      const records = await lockEnabledRecords(transaction, "recordings", key, ids);
      const updates = recordings.flatMap((fields) => {
        const record = records.get(fields.annotationId);
        return record === undefined || isEmpty(fields) ? [] : [{ id: fields.annotationId, record, fields }];
      });
      await replaceRecordingRecords(transaction, key, await mergeFields(updates));
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
  },
});

function isEmpty(update: object): boolean {
  return Object.keys(update).length === 1;
}
