import Type, { type Static } from "typebox";
import { AccessType } from "../../../contract/access-type.ts";
import { invalidField } from "../../../contract/errors.ts";
import { Identifier, Identifiers, type User } from "../../../contract/schema.ts";

/** Visibility of an annotation in requests. */
export const Visibility = Type.Refine(
  Type.Refine(
    Type.Object({
      type: AccessType,
      organizationId: Type.Optional(Identifier),
      organizationIds: Type.Optional(Identifiers),
      userIds: Type.Optional(Identifiers),
    }),
    ({ type, organizationId }) => type !== "organizationPrivate" || organizationId !== undefined,
    () => "must have organizationId with the type organizationPrivate",
  ),
  ({ type, userIds }) => type !== "restricted" || userIds !== undefined,
  () => "must have userIds with the type restricted",
);
export type Visibility = Static<typeof Visibility>;

/** Visibility of an annotation in responses. */
export const VisibilityConfig = Type.Object(
  {
    type: AccessType,
    organizationId: Type.Optional(Identifier),
    organizationIds: Type.Optional(Type.Array(Identifier)),
    userIds: Type.Optional(Type.Array(Identifier, { description: "Always with the author." })),
  },
  { description: "Users who can read the annotation. Backends always can.", examples: [{ type: "public" }] },
);
export type VisibilityConfig = Static<typeof VisibilityConfig>;

/** Throws INVALID_ARGUMENT if a visibility names another organization: its users have no place in this one. */
export function rejectOtherOrganizations(visibility: Visibility | undefined, organizationId: string, path: string) {
  const { organizationId: named = organizationId, organizationIds = [] } = visibility ?? {};
  if (named !== organizationId) throw invalidField(`${path}.organizationId`, "must be data.organizationId");
  if (organizationIds.some((id) => id !== organizationId)) {
    throw invalidField(`${path}.organizationIds`, "must have no other organization than data.organizationId");
  }
}

/** Returns the stored field of a visibility: none if it is public. The author always sees the annotation. */
export function getVisibility(
  visibility: VisibilityConfig | undefined,
  author: User | undefined,
): { visibilityConfig?: VisibilityConfig } {
  if (!visibility || visibility.type === "public") return {};
  const userIds = new Set(visibility.userIds);
  if (author) userIds.add(author.userId);
  return { visibilityConfig: { ...visibility, userIds: [...userIds] } };
}

/** Returns the column that says who sees an annotation: a JSON text, or null for everybody. */
export function viewersColumn(config: VisibilityConfig | undefined): string | null {
  if (!config) return null;
  const { type, userIds = [] } = config;
  return JSON.stringify({ userIds, ...(type === "organizationPrivate" && { organization: true }) });
}
