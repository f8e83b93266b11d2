import type { ResponseData } from "../api/call.ts";

export type AccessType = ResponseData<"/v2/auth/permissions/explain">["accessType"];

/** Names of the access types. */
export const ACCESS_TYPE_LABELS: Record<AccessType, string> = {
  public: "Public",
  organizationPrivate: "Organization",
  restricted: "Restricted",
};
export const ACCESS_TYPES = Object.keys(ACCESS_TYPE_LABELS).filter(isAccessType);

export function isAccessType(text: string): text is AccessType {
  return Object.hasOwn(ACCESS_TYPE_LABELS, text);
}
