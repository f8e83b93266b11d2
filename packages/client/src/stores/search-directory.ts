import { getStore, type Session } from "./session.ts";
import type { UserProfile } from "./user-directory.ts";

/** Maximum number of users, and of groups, that are read to search them, 1,000 with each request. */
const MAX_READ = 10_000;
/** Time for which they are searched before they are read again. The URLs of photos work for ten minutes or more. */
const MAX_AGE_MS = 10 * 60_000;
/** Maximum number of users and groups that a search returns. */
const MAX_FOUND = 50;

interface Directory {
  readAt: number;
  users: Promise<UserProfile[]> | undefined;
}

/**
 * Returns users and groups whose names match a text: users with access to a document, or without one those of the
 * organization, and its user groups. A search reads all of them, and those of the next ten minutes search these.
 */
export async function searchDirectory(
  session: Session,
  text: string,
  documentId: string | undefined,
): Promise<UserProfile[]> {
  const directory = getStore(session, ["directory", documentId], (): Directory => ({ readAt: 0, users: undefined }));
  if (directory.users === undefined || Date.now() - directory.readAt > MAX_AGE_MS) {
    Object.assign(directory, { readAt: Date.now(), users: readUsers(session, documentId) });
  }
  try {
    const users = (await directory.users) ?? [];
    return users.filter(({ userId, name = userId }) => matchesName(name, text)).slice(0, MAX_FOUND);
  } catch (error) {
    // The next search tries again.
    directory.users = undefined;
    throw error;
  }
}

/** Returns the users and groups by name. */
async function readUsers({ client, organizationId }: Session, documentId: string | undefined): Promise<UserProfile[]> {
  const groups: UserProfile[] = [];
  for await (const { data } of client.pages("/v2/organizations/usergroups/get", { organizationId })) {
    groups.push(
      ...data.map(({ groupId, groupName }) => ({ userId: groupId, name: groupName || groupId, isGroup: true })),
    );
    if (groups.length >= MAX_READ) break;
  }
  const users: UserProfile[] = [];
  for await (const { data } of client.pages("/v2/users/get", { organizationId, documentId })) {
    if (Array.isArray(data)) users.push(...data.map(({ userId, name, photoUrl }) => ({ userId, name, photoUrl })));
    if (users.length >= MAX_READ) break;
  }
  const { compare } = new Intl.Collator();
  return [...users, ...groups].sort((one, other) => compare(one.name ?? one.userId, other.name ?? other.userId));
}

/** Returns whether a word of a name, or the name, begins with a text. Ignores case and accents. */
export function matchesName(name: string, text: string): boolean {
  return ` ${toPlain(name)}`.includes(` ${toPlain(text)}`);
}

function toPlain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase();
}
