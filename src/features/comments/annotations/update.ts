import type { Static } from "typebox";
import { toIdentifiedItems } from "../../../contract/change-items.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { perId } from "../../../contract/schema.ts";
import { areEqual, parseRecord, withTexts } from "../../../json/record-texts.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import { isMailed } from "../../mails/queue-mails.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization, type OrganizationScope } from "../../tenancy/organization-scope.ts";
import { refreshAnnotations } from "../comments/comment-refresh-queries.ts";
import { rejectLargeAnnotation } from "../comments/new-comments.ts";
import { UPDATE_ANNOTATIONS } from "../end-user-rules.ts";
import { buildChangeEvents, buildReadEvents } from "../event-log.ts";
import { keepAssignee } from "../named-users.ts";
import { buildAnnotationTriggers, UPDATE_TRIGGERS } from "../triggers/build-triggers.ts";
import { runTriggers } from "../triggers/run-triggers.ts";
import { AnnotationResult, annotationColumns, type StoredAnnotation, toAnnotation } from "./annotation.ts";
import { EXAMPLE_ANCHOR } from "./annotation-anchor.ts";
import {
  type LockedAnnotation,
  markAnnotationRead,
  replaceAnnotations,
  selectParticipants,
} from "./annotation-queries.ts";
import { getFieldRules } from "./field-rules.ts";
import { getCommentAnnotations } from "./get.ts";
import { eachPermittedChunk } from "./matching.ts";
import { applyUpdate, type ChangedFields, getStatusUsers, getUpdatedData, UpdateRequest } from "./update-request.ts";
import { getNewUsers, type NewUsers, replaceUsersIn, replaceUsersInComments } from "./update-users/update-users.ts";
import { rejectOtherOrganizations } from "./visibility.ts";

/** Replaces each field that is sent as a whole and keeps the rest. An unknown id fails alone. */
export const updateCommentAnnotations = operation({
  path: "/v2/commentannotations/update",
  aliases: ["/v1/commentannotations/update"],
  summary: "Update comment annotations, or mark them as read",
  description:
    "Replaces each field of `updatedData` as a whole in all annotations of the document that match the filters, " +
    "and keeps the others. `readByUserIds` marks their current comments as read by these users, which affects " +
    "only `/v2/commentannotations/count/get`. A status with another `type` than `terminal` clears " +
    "`resolvedByUserId`. `suggestion` is INVALID_ARGUMENT unless all of the annotations are of `type` " +
    "`suggestion`.\n\n`updateUsers` replaces users as author, assignee and tagged user of the annotations and " +
    "their comments, before the fields of `updatedData` are replaced. The text of a comment stays.\n\nWith " +
    "`triggerActivities` each changed status, assignee or priority writes an activity. With " +
    "`triggerNotification` one notification of all changes reaches the assignee and the participants. Both require " +
    "`actionUser`, the user who makes the change, and so do mails. An annotation that would exceed 8 MiB is " +
    "FAILED_PRECONDITION, and nothing is changed.\n\nWith `annotationIds` the response has an item for each of " +
    "these IDs, otherwise one for each annotation that matches (the first 50,000).\n\nWith a user token, the " +
    "role that an update needs depends on its fields, and is lower for the author and the assignee. If the user may " +
    "read an annotation but lacks this role, it fails with the `reason` `access_denied` and the `requiredRole`. An " +
    "annotation that is hidden from the user fails as if it did not exist. `statusUpdatedByUserId` and " +
    "`resolvedByUserId` become the user who sends a status.",
  message: "Comment annotations updated.",
  scope: "write",
  endUsers: UPDATE_ANNOTATIONS,
  request: UpdateRequest,
  returned: {
    by: getCommentAnnotations,
    field: "updatedData",
    id: "annotationId",
    ids: "annotationIds",
    request: ({ organizationId, documentId }, annotationIds) => ({ organizationId, documentId, annotationIds }),
  },
  response: perId(AnnotationResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    annotationIds: ["annotation-1"],
    updatedData: {
      anchor: EXAMPLE_ANCHOR,
      status: { id: "RESOLVED", name: "Resolved", type: "terminal" },
      assignedTo: { userId: "grace", name: "Grace Hopper", email: "grace@example.com" },
    },
  },
  handle,
});

async function handle(
  { database, workspace, jobs, user }: Context,
  { organizationId, ...request }: Static<typeof UpdateRequest>,
) {
  const { actionUser, triggerActivities, triggerNotification, updatedData, updateUsers, ...filters } = request;
  const { readByUserIds, ...sent } = getUpdatedData(updatedData);
  const fields = { ...sent, ...(user && sent.status && getStatusUsers(sent.status, user.userId)) };
  const { role: checkedRole } = UPDATE_ANNOTATIONS;
  rejectOtherOrganizations(fields.visibility, organizationId, "data.updatedData.visibility");
  const users = getNewUsers(updateUsers);
  const isAnyMailed = UPDATE_TRIGGERS.some((trigger) => isMailed(workspace, trigger));
  const isTriggering = triggerActivities || triggerNotification || isAnyMailed;
  const updated = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, filters.documentId);
    const intended = { user, checkedRole, rules: getFieldRules(sent) };
    const updated = await eachPermittedChunk(scope, filters, intended, async (annotations) => {
      const changes = await changeChunk(scope, annotations, { fields, users, isUser: user !== undefined });
      await recordEvents(
        scope,
        changes
          .filter(({ isChanged }) => isChanged)
          .flatMap(({ id: annotationId, stored, before, after }) =>
            buildChangeEvents(
              { documentId: filters.documentId, annotationId },
              { ...before, ...(stored.visibilityConfig && { visibilityConfig: stored.visibilityConfig }) },
              after,
              actionUser?.userId ?? user?.userId,
            ),
          ),
      );
      const sequences = annotations.map(({ sequence }) => sequence);
      if (actionUser && isTriggering) {
        const participants = await selectParticipants(scope, sequences);
        const common = { documentId: filters.documentId, actionUser, triggerActivities, triggerNotification };
        const triggers = changes.flatMap(({ id, sequence, before, after }) =>
          buildAnnotationTriggers({ id, sequence }, before, after, common, participants.get(sequence) ?? []),
        );
        await runTriggers(scope, jobs, triggers);
      }
      if (readByUserIds) await markAnnotationRead(scope, sequences, readByUserIds);
    });
    if (updated.changed.size > 0) await recordEvents(scope, buildReadEvents(filters.documentId, readByUserIds ?? []));
    return updated;
  });
  const messages = { changed: "Annotation updated.", missing: "Annotation not found." };
  return toIdentifiedItems(updated, messages, filters.annotationIds);
}

/** Changes locked annotations. Returns each as stored, with its users replaced, as it is, and whether it changed. */
async function changeChunk(
  scope: OrganizationScope,
  annotations: LockedAnnotation[],
  { fields, users, isUser }: { fields: ChangedFields; users: NewUsers; isUser: boolean },
) {
  const sequences = annotations.map(({ sequence }) => sequence);
  const toRefresh = users.size > 0 ? await replaceUsersInComments(scope, sequences, users) : new Set<number>();
  const changes: (Record<"stored" | "before" | "after", StoredAnnotation> & { id: string; sequence: number })[] = [];
  for (const { id, sequence, record } of annotations) {
    const stored = toAnnotation(parseRecord(record));
    const before = replaceUsersIn(stored, users);
    const changed = isUser ? keepAssignee(fields, before) : fields;
    changes.push({ id, sequence, stored, before, after: applyUpdate(before, changed) });
  }
  const rows = withTexts(changes.map(({ id, after }) => ({ id, ...annotationColumns(after) })));
  const isChanged = rows.map(({ record }, index) => {
    const { record: stored = "" } = annotations[index] ?? {};
    return record !== stored && !areEqual(parseRecord(record), parseRecord(stored));
  });
  const changed = changes.filter((_, index) => isChanged[index]);
  if (changed.length > 0) {
    const changedRows = rows.filter((_, index) => isChanged[index]);
    rejectLargeAnnotation(await replaceAnnotations(scope, changedRows));
  }
  if (users.size > 0 || fields.from) {
    for (const { sequence } of changed) toRefresh.add(sequence);
    rejectLargeAnnotation(await refreshAnnotations(scope, [...toRefresh]));
  }
  return changes.map((change, index) => ({
    ...change,
    isChanged: isChanged[index] === true || toRefresh.has(change.sequence),
  }));
}
