import { isObject } from "../../../json/is-object.ts";

/** Fields that hold what users have written, the names of users and things, and attachments. */
const OMITTED = new Set([
  ...["commentText", "commentHtml", "text", "attachments", "context", "targetElement", "pageInfo", "anchorText"],
  ...["name", "email", "photoUrl", "documentName", "locationName", "taggedUserText"],
  ...["url", "reason", "agentName", "svg", "iconUrl", "transcription", "assets", "assetsAllVersions"],
]);

/** Fields with settings of users by their IDs, of which an ID may be the name of a field that is omitted. */
const SETTINGS = new Set(["usersOrganizationNotificationsConfig", "usersDocumentNotificationsConfig"]);

/** Fields of open objects that are kept; the others may hold anything. */
const KEPT: { readonly [field: string]: readonly string[] } = {
  location: ["id"],
  anchor: ["editorId"],
  suggestion: ["status"],
  metadata: [
    ...["apiKey", "organizationId", "clientOrganizationId", "organization"],
    ...["documentId", "clientDocumentId", "document"],
  ],
  crdtData: ["id", "lastUpdatedBy", "sessionId", "lastUpdate"],
};

/** Returns a payload without comment texts, names, addresses and attachments. IDs stay; of a user, only the ID. */
export function protect(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(protect);
  if (!isObject(value)) return value;
  // Users are open objects, which may have any field.
  if ("userId" in value) return { userId: value.userId };
  const entries = Object.entries(value).filter(([field]) => !OMITTED.has(field));
  return Object.fromEntries(
    entries.map(([field, inner]) => [field, SETTINGS.has(field) ? inner : protect(getKept(field, inner))]),
  );
}

function getKept(field: string, value: unknown): unknown {
  const kept = KEPT[field];
  if (!kept || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => kept.includes(name)));
}
