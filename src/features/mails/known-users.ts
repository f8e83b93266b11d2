import type { Queryable } from "../../database/statement.ts";
import { selectUserRecords } from "./queries.ts";

interface KnownUser {
  name?: string | undefined;
  email?: string | undefined;
}

/** Returns a look-up of the names and addresses in the users' records, which it reads with one statement. */
export async function readKnownUsers(
  database: Queryable,
  users: { organizationKey: string; userId: string }[],
): Promise<(organizationKey: string, userId: string) => KnownUser> {
  const records = await selectUserRecords(database, users);
  const known = new Map<string, KnownUser>();
  for (const [index, { organizationKey, userId }] of users.entries()) {
    const key = `${organizationKey} ${userId}`;
    if (!known.has(key)) known.set(key, knownUserOf(records[index]));
  }
  return (organizationKey, userId) => known.get(`${organizationKey} ${userId}`) ?? {};
}

/** Returns the first name that is not blank, else the user id. */
export function nameOf(userId: string, ...names: (string | undefined)[]): string {
  return names.find((name) => name?.trim()) ?? userId;
}

/** Reads the JSON text of a user's record, if there is one. */
function knownUserOf(record: string | null | undefined): KnownUser {
  const { name, email }: { name?: unknown; email?: unknown } = typeof record === "string" ? JSON.parse(record) : {};
  return {
    name: typeof name === "string" ? name : undefined,
    email: typeof email === "string" ? email : undefined,
  };
}
