import Type from "typebox";
import type { EndUser } from "../../contract/end-user.ts";
import type { EndUserRule } from "../../contract/end-user-rule.ts";
import { Caller, Identifier } from "../../contract/schema.ts";
import { OWN_RULE } from "../permitted-changes/change-rule.ts";
import type { IntendedChange } from "../permitted-changes/find-denied-changes.ts";
import { newRecordingFields } from "./recording.ts";

const inDocument = { role: "commenter", on: "documents" } as const;

/** Users record in their own name, as they comment. */
export const ADD_RECORDINGS: EndUserRule = {
  ...inDocument,
  changes: "own",
  identity: { users: ["recordings[].from"] },
  adds: ["recordings"],
  request: Type.Object({
    organizationId: Identifier,
    documentId: Identifier,
    recordings: Type.Array(Type.Object({ ...newRecordingFields, from: Caller })),
  }),
};

export const CHANGE_RECORDINGS: EndUserRule = { ...inDocument, changes: "moderated" };

/** Returns the change of recordings that a user intends, who has named the document. */
export function intendChange(user: EndUser | undefined, documentId = ""): IntendedChange {
  return { user, documentId, checkedRole: CHANGE_RECORDINGS.role, rules: [OWN_RULE] };
}
