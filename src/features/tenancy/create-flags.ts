import Type from "typebox";
import type { Existence } from "./tenancy-queries.ts";

/** Whether a call may create what is missing. */
export interface Create {
  createOrganization?: boolean | undefined;
  createDocument?: boolean | undefined;
}

/** Returns which of the organization and document is missing if the caller forbids its creation. */
export function findMissing(
  { hasOrganization, hasDocument }: Existence,
  { createOrganization = true, createDocument = true }: Create,
): "Organization" | "Document" | undefined {
  if (!hasOrganization && !createOrganization) return "Organization";
  return hasDocument || createDocument ? undefined : "Document";
}

/** Returns the schema of the flag that decides whether a missing organization or document is created. */
export function createFlag(
  what: "organization" | "document" | "folder",
  effect: "every item fails" | "the request is NOT_FOUND",
) {
  return Type.Optional(
    Type.Boolean({ default: true, description: `If \`false\`, ${effect} if the ${what} is missing.` }),
  );
}

/** Create flag of an update, where callers send it as in an add. */
export const IgnoredCreate = Type.Optional(Type.Boolean({ description: "Has no effect: an update creates nothing." }));
