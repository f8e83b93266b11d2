import Type, { type Static } from "typebox";
import { withAccessFields } from "../../../contract/access-context.ts";
import { invalidField } from "../../../contract/errors.ts";
import { Identifier, Identifiers, User } from "../../../contract/schema.ts";
import { changeableAnnotationFields, type StoredAnnotation, Suggestion } from "./annotation.ts";
import { getAnchorFields } from "./annotation-anchor.ts";
import { annotationScopeFields } from "./matching.ts";
import { type NewStatus, toStatus } from "./status.ts";
import { UpdateUsers } from "./update-users/update-users.ts";
import { getVisibility } from "./visibility.ts";

const ClearableUserId = Type.Optional(Type.Union([Identifier, Type.Null()], { description: "`null` clears it." }));

const UpdatedData = Type.Object({
  ...changeableAnnotationFields,
  from: Type.Optional(User),
  suggestion: Type.Optional(Suggestion),
  statusUpdatedByUserId: ClearableUserId,
  resolvedByUserId: ClearableUserId,
  readByUserIds: Type.Optional(Identifiers),
});
export type UpdatedData = Static<typeof UpdatedData>;
/** Fields to replace in annotations. */
export type ChangedFields = Omit<UpdatedData, "readByUserIds">;

const Fields = Type.Object({
  ...annotationScopeFields,
  updatedData: Type.Optional(
    Type.Union([UpdatedData, Type.Array(UpdatedData, { minItems: 1, maxItems: 1 })], {
      description: "Required without `updateUsers`. An array has one object.",
    }),
  ),
  updateUsers: Type.Optional(UpdateUsers),
  actionUser: Type.Optional(User),
  triggerActivities: Type.Optional(Type.Boolean({ default: false })),
  triggerNotification: Type.Optional(Type.Boolean({ default: false })),
});

export const UpdateRequest = Type.Refine(
  Type.Refine(
    Fields,
    ({ updatedData, updateUsers }) => updatedData !== undefined || updateUsers !== undefined,
    () => "must have updatedData or updateUsers",
  ),
  ({ actionUser, triggerActivities, triggerNotification }) =>
    actionUser !== undefined || !(triggerActivities || triggerNotification),
  () => "must have actionUser with triggerActivities or triggerNotification",
);

/** Returns the fields to replace, and the users who have read the annotations. */
export function getUpdatedData(updatedData: Static<typeof Fields>["updatedData"] = {}): UpdatedData {
  return Array.isArray(updatedData) ? (updatedData[0] ?? {}) : updatedData;
}

/** Returns the fields that say who gives annotations a status. */
export function getStatusUsers(status: Static<typeof NewStatus>, userId: string): ChangedFields {
  const isResolved = toStatus(status).type === "terminal";
  return { statusUpdatedByUserId: userId, ...(isResolved && { resolvedByUserId: userId }) };
}

/**
 * Returns the annotation with the fields of the update. They keep their order, so `annotationId` stays first. Throws
 * INVALID_ARGUMENT if it gets a suggestion without being one.
 */
export function applyUpdate(annotation: StoredAnnotation, changed: ChangedFields): StoredAnnotation {
  const { status, suggestion, statusUpdatedByUserId, resolvedByUserId, visibility, ...fields } = changed;
  const updated: StoredAnnotation = { ...annotation, ...fields };
  if (fields.anchor !== undefined) {
    delete updated.anchorState;
    delete updated.anchorText;
    Object.assign(updated, getAnchorFields(fields.anchor));
  }
  if (visibility || fields.from) {
    const { visibilityConfig } = getVisibility(visibility ?? annotation.visibilityConfig, updated.from);
    if (visibilityConfig) updated.visibilityConfig = visibilityConfig;
    else delete updated.visibilityConfig;
  }
  if (fields.context) updated.context = withAccessFields(fields.context);
  if (status) updated.status = toStatus(status);
  if (suggestion) {
    if (annotation.type !== "suggestion") {
      const { annotationId, type } = annotation;
      const error = `can be set only on annotations of type suggestion; annotation ${annotationId} has type ${type}`;
      throw invalidField("data.updatedData.suggestion", error);
    }
    updated.suggestion = { ...suggestion, status: suggestion.status ?? annotation.suggestion?.status ?? "pending" };
  }
  setOrClear(updated, "statusUpdatedByUserId", statusUpdatedByUserId);
  const isReopened = updated.status.type !== undefined && updated.status.type !== "terminal";
  setOrClear(updated, "resolvedByUserId", status && isReopened ? null : resolvedByUserId);
  return updated;
}

function setOrClear(
  annotation: StoredAnnotation,
  field: "statusUpdatedByUserId" | "resolvedByUserId",
  userId: string | null | undefined,
): void {
  if (userId === null) delete annotation[field];
  else if (userId !== undefined) annotation[field] = userId;
}
