import { type ChangeRule, OWN_RULE } from "../../permitted-changes/change-rule.ts";
import type { ChangedFields, UpdatedData } from "./update-request.ts";

/** Marks a field that only backends may change. */
export const BACKEND = "backend";

const SHARED = { anybody: "editor", author: "commenter" } as const;

/**
 * Roles that change each field by an update of annotations. Everybody may resolve and reopen what is assigned to them.
 * Only editors accept and reject suggestions, also their own. Only moderators change who sees an annotation of others.
 */
export const FIELD_RULES = {
  status: { ...SHARED, assignee: "viewer" },
  assignedTo: SHARED,
  priority: SHARED,
  location: SHARED,
  anchor: SHARED,
  targetElement: SHARED,
  suggestion: { anybody: "editor" },
  visibility: OWN_RULE,
  context: OWN_RULE,
  from: BACKEND,
  statusUpdatedByUserId: BACKEND,
  resolvedByUserId: BACKEND,
  readByUserIds: BACKEND,
  updateUsers: BACKEND,
} as const satisfies Record<keyof UpdatedData | "updateUsers", ChangeRule | typeof BACKEND>;

/** Fields of an update that users may send. */
export type UserField = {
  [Field in keyof typeof FIELD_RULES]: (typeof FIELD_RULES)[Field] extends ChangeRule ? Field : never;
}[keyof typeof FIELD_RULES];

/** Returns the rules of the fields that an update has. No user sends the fields of backends. */
export function getFieldRules(fields: ChangedFields): ChangeRule[] {
  const rules: Record<string, ChangeRule | typeof BACKEND> = FIELD_RULES;
  return Object.keys(fields).flatMap((field) => {
    const rule = rules[field];
    return rule === undefined || rule === BACKEND ? [] : [rule];
  });
}
