import { getStore, type Session } from "./session.ts";
import type { UserProfile } from "./users.ts";

/** Maximum number of users that are read to search them, 1,000 with each request. */
const MAX_READ = 10_000;
/** Maximum number of users that a search returns. */
const MAX_FOUND = 50;

/**
 * Returns users whose names match a text: those with access to a document, or without one those of the organization.
 * The first search reads all of them, and the next ones search these.
 */
export async function searchDirectory(
  session: Session,
  text: string,
  documentId: string | undefined,
): Promise<UserProfile[]> {
  const directory = getStore(session, ["directory", documentId], (): { users?: Promise<UserProfile[]> } => ({}));
  directory.users ??= readUsers(session, documentId);
  try {
    const users = await directory.users;
    return users.filter(({ userId, name = userId }) => matchesName(name, text)).slice(0, MAX_FOUND);
  } catch (error) {
    // The next search tries again.
    delete directory.users;
    throw error;
  }
}

/** Returns the users by name. */
async function readUsers({ client, organizationId }: Session, documentId: string | undefined): Promise<UserProfile[]> {
  const users: UserProfile[] = [];
  for await (const { data } of client.pages("/v2/users/get", { organizationId, documentId })) {
    if (Array.isArray(data)) users.push(...data.map(({ userId, name, photoUrl }) => ({ userId, name, photoUrl })));
    if (users.length >= MAX_READ) break;
  }
  const { compare } = new Intl.Collator();
  return users.sort((one, other) => compare(one.name ?? one.userId, other.name ?? other.userId));
}

/** Returns whether a word of a name, or the name, begins with a text. Ignores case and accents. */
export function matchesName(name: string, text: string): boolean {
  return ` ${toPlain(name)}`.includes(` ${toPlain(text)}`);
}

function toPlain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase();
}
