import type { OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { selectDocumentRecords, selectUserRecords } from "./mail-queries.ts";

/** Returns a look-up of the names of documents, by default their IDs. Runs no statement without IDs. */
export async function readDocumentNames(
  scope: OrganizationScope,
  documentIds: string[],
): Promise<(documentId: string) => string> {
  if (documentIds.length === 0) return (documentId) => documentId;
  const records = await selectDocumentRecords(scope, documentIds);
  return (documentId) => getDocumentName(records.get(documentId)) || documentId;
}

/** Returns the name in the JSON text of a document's record, if there is one. */
function getDocumentName(record: string | null | undefined): string | undefined {
  const { documentName }: { documentName?: unknown } = typeof record === "string" ? JSON.parse(record) : {};
  return typeof documentName === "string" ? documentName : undefined;
}

interface KnownUser {
  name?: string | undefined;
  email?: string | undefined;
}

/** Returns a look-up of the names and addresses in the users' records, which it reads with one statement. */
export async function readKnownUsers(
  scope: StoredOrganization,
  userIds: string[],
): Promise<(userId: string) => KnownUser> {
  const records = await selectUserRecords(scope, userIds);
  const known = new Map([...records].map(([userId, record]) => [userId, toKnownUser(record)]));
  return (userId) => known.get(userId) ?? {};
}

/** Returns the first name that is not blank, else the user ID. */
export function getName(userId: string, ...names: (string | undefined)[]): string {
  return names.find((name) => name?.trim()) ?? userId;
}

/** Reads the JSON text of a user's record; null if a user has none. */
function toKnownUser(record: string | null): KnownUser {
  const { name, email }: { name?: unknown; email?: unknown } = typeof record === "string" ? JSON.parse(record) : {};
  return {
    name: typeof name === "string" ? name : undefined,
    email: typeof email === "string" ? email : undefined,
  };
}
