import Type, { type Static } from "typebox";

/** Access type of a folder, a document or an annotation. */
export const AccessType = Type.Enum(["public", "organizationPrivate", "restricted"]);
export type AccessType = Static<typeof AccessType>;
