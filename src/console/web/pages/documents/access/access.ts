import type { ResponseData } from "../../../api/call.ts";
import type { AccessType } from "../../../components/access-type.ts";
import { nameOrId } from "../../../components/display-text.ts";
import { LOCALE } from "../../../components/locale.ts";

/** What the access panel is about. */
export interface Resource {
  type: "folder" | "document";
  organizationId: string;
  id: string;
  /** Name, or the ID if there is none. */
  label: string;
}

export type Explanation = ResponseData<"/v2/auth/permissions/explain">;
export type PermittedUser = Explanation["users"][number];

/** Explanation of each access type. */
export const ACCESS_TYPE_MEANINGS: Record<AccessType, string> = {
  public: "Every user of any organization can read and edit, except those with a lower role here.",
  organizationPrivate: "Only users with a permission on it, on a folder above, or on the organization.",
  restricted: "Only users with a permission on it, or on the folders above it up to the restricted one.",
};

/** Returns a resource with its type, such as "folder Contracts". */
export function resourceLabel({ type, id, name }: { type: string; id?: string; name?: string }): string {
  return [type, nameOrId(name, id ?? "")].filter(Boolean).join(" ");
}

/** Returns whether a permission or access type is that of the resource itself. */
export function isSameResource(resource: Resource, { type, id }: { type: string; id?: string }): boolean {
  return type === resource.type && id === resource.id;
}

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" });

/** Returns the last day on which a permission counts, at least in part. Takes its end in seconds since the epoch. */
export function lastDay(expiresAt: number): string {
  const date = new Date((expiresAt - 1) * 1000);
  return Number.isNaN(date.getTime()) ? String(expiresAt) : DAY.format(date);
}
