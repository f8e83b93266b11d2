import Type, { type Static } from "typebox";
import { ACCESS_ROLES, type AccessRole } from "./end-user.ts";
import { ItemResult, keyedById } from "./schema.ts";

/** Outcome of changing one record. A user may lack the role that the change needs. */
export const ChangeResult = Type.Interface(
  [ItemResult],
  {
    reason: Type.Optional(
      Type.Literal("access_denied", {
        description: "Present if the user may read the record, but not make this change.",
      }),
    ),
    requiredRole: Type.Optional(Type.Enum(ACCESS_ROLES, { description: "Role that the change needs." })),
  },
  { title: "ChangeResult" },
);
type ChangeResult = Static<typeof ChangeResult>;

/** IDs of the records that a request has changed, and the roles that its user lacks to change others. */
export interface ChangedRecords<Id = string> {
  changed: ReadonlySet<Id>;
  denied: ReadonlyMap<Id, AccessRole>;
}

/** The `message` of the item of a record that was changed, and of one that does not exist. */
interface Messages {
  changed: string;
  missing: string;
}

/** Returns the items of a change by ID: of the IDs that were sent, or of all records that matched. */
export function toChangeItems(
  records: ChangedRecords,
  messages: Messages,
  sentIds?: readonly string[],
): Record<string, ChangeResult> {
  return keyedById(listIds(records, sentIds).map((id) => [id, toItem(records, messages, id)]));
}

/** Returns the items of a change by ID, each with its `id`. */
export function toIdentifiedItems<Id extends string | number>(
  records: ChangedRecords<Id>,
  messages: Messages,
  sentIds: readonly Id[] | undefined,
): Record<string, ChangeResult & { id: Id }> {
  return keyedById(
    listIds(records, sentIds).map((id) => [String(id), { ...toItem(records, messages, id), id }] as const),
  );
}

function listIds<Id>({ changed, denied }: ChangedRecords<Id>, sentIds: readonly Id[] | undefined): readonly Id[] {
  return sentIds ?? [...changed, ...denied.keys()];
}

function toItem<Id>({ changed, denied }: ChangedRecords<Id>, messages: Messages, id: Id): ChangeResult {
  const requiredRole = denied.get(id);
  if (requiredRole) {
    const message = `This change needs the role ${requiredRole} on the document.`;
    return { success: false, message, reason: "access_denied", requiredRole };
  }
  return changed.has(id) ? { success: true, message: messages.changed } : { success: false, message: messages.missing };
}
