import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { Identifier, Identifiers, ItemResult, keyedById, perId, User } from "../../../contract/schema.ts";
import { requireAccessible } from "../../tenancy/access.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { refuseLargeAnnotation } from "../comments/new-comments.ts";
import { announce, isAnyMailed } from "../events/announce.ts";
import { eventsOfUpdate, UPDATE_TRIGGERS } from "../events/comment-events.ts";
import { changeableAnnotationFields, columnsOf, readAnnotation, type StoredAnnotation } from "./annotation.ts";
import { annotationScopeFields, eachLockedChunk } from "./matching.ts";
import { type LockedAnnotation, markAnnotationRead, replaceAnnotations, selectParticipants } from "./queries.ts";
import { toStatus } from "./status.ts";

const UpdateRequest = Type.Refine(
  Type.Object({
    ...annotationScopeFields,
    updatedData: Type.Object({ ...changeableAnnotationFields, readByUserIds: Type.Optional(Identifiers) }),
    actionUser: Type.Optional(User),
    triggerActivities: Type.Optional(Type.Boolean({ default: false })),
    triggerNotification: Type.Optional(Type.Boolean({ default: false })),
  }),
  ({ actionUser, triggerActivities, triggerNotification }) =>
    actionUser !== undefined || !(triggerActivities || triggerNotification),
  () => "must have actionUser with triggerActivities or triggerNotification",
);

/** Replaces each field that is sent as a whole and keeps the rest. An unknown id fails alone. */
export const updateCommentAnnotations = operation({
  path: "/v2/commentannotations/update",
  summary: "Update comment annotations, or mark them as read",
  description:
    "Replaces each field of `updatedData` as a whole in all annotations of the document that match the filters, " +
    "and keeps the others. `readByUserIds` marks their current comments as read by these users, which affects " +
    "only `/v2/commentannotations/count/get`.\n\nWith `triggerActivities` each changed status, assignee or " +
    "priority writes an activity. With `triggerNotification` each change notifies the assignee and the " +
    "participants. Both require `actionUser`, the user who makes the change, and so do mails. An annotation that " +
    "would exceed 8 MiB is FAILED_PRECONDITION, and nothing is changed.\n\nWith `annotationIds` the answer has " +
    "an item for each of these IDs, otherwise one for each updated annotation (the first 50,000).",
  message: "Comment annotations updated.",
  request: UpdateRequest,
  response: perId(Type.Interface([ItemResult], { id: Identifier })),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    annotationIds: ["annotation-1"],
    updatedData: {
      status: { id: "RESOLVED", name: "Resolved", type: "terminal" },
      assignedTo: { userId: "grace", name: "Grace Hopper", email: "grace@example.com" },
    },
  },
  async handle({ workspace, database, jobs }, { organizationId, updatedData, ...rest }) {
    const { actionUser, triggerActivities, triggerNotification, ...filters } = rest;
    const { readByUserIds, status, ...others } = updatedData;
    const fields = { ...others, ...(status && { status: toStatus(status) }) };
    const key = organizationKey(workspace.id, organizationId);
    const isAnnounced = triggerActivities || triggerNotification || isAnyMailed(workspace, UPDATE_TRIGGERS);
    const updated = await database.transaction(async (transaction) => {
      await requireAccessible(transaction, key, organizationId);
      return eachLockedChunk(transaction, key, filters, async (annotations) => {
        if (Object.keys(fields).length > 0) {
          const rows = annotations.map((annotation) => merge(annotation, fields));
          refuseLargeAnnotation(await replaceAnnotations(transaction, key, rows));
        }
        const sequences = annotations.map(({ sequence }) => sequence);
        if (actionUser && isAnnounced) {
          const participants = await selectParticipants(transaction, annotations);
          const common = { actionUser, triggerActivities, triggerNotification };
          const events = annotations.flatMap(({ id, sequence, record }) => {
            const before = readAnnotation(record);
            return eventsOfUpdate(id, before, { ...before, ...fields }, common, participants.get(sequence) ?? []);
          });
          await announce(transaction, jobs, [{ workspace, organizationId, documentId: filters.documentId, events }]);
        }
        if (readByUserIds) await markAnnotationRead(transaction, key, sequences, readByUserIds);
      });
    });
    return keyedById(
      [...(filters.annotationIds ?? updated)].map((id) => [
        id,
        updated.has(id)
          ? { success: true, id, message: "Annotation updated." }
          : { success: false, id, message: "Annotation not found." },
      ]),
    );
  },
});

/** Merges the fields into the record. The fields keep their order, so `annotationId` stays first. */
function merge({ id, record }: LockedAnnotation, fields: Partial<StoredAnnotation>) {
  return { id, ...columnsOf({ ...readAnnotation(record), ...fields }) };
}
