import type { Queryable } from "../../database/database.ts";
import { selectUserRecords } from "./queries.ts";

interface KnownPerson {
  name?: string | undefined;
  email?: string | undefined;
}

/** What the users' records say, by one statement; nothing of users without a record. */
export async function readKnownPeople(
  database: Queryable,
  users: { organizationKey: string; userId: string }[],
): Promise<(organizationKey: string, userId: string) => KnownPerson> {
  const records = await selectUserRecords(database, users);
  const known = new Map<string, KnownPerson>();
  for (const [index, { organizationKey, userId }] of users.entries()) {
    const name = `${organizationKey} ${userId}`;
    if (!known.has(name)) known.set(name, personOf(records[index]));
  }
  return (organizationKey, userId) => known.get(`${organizationKey} ${userId}`) ?? {};
}

/** The first name that says something, else the id. */
export function nameOf(userId: string, ...names: (string | undefined)[]): string {
  return names.find((name) => name?.trim()) ?? userId;
}

/** Of the JSON text of a record, or of none. */
function personOf(record: string | null | undefined): KnownPerson {
  const { name, email }: { name?: unknown; email?: unknown } = typeof record === "string" ? JSON.parse(record) : {};
  return {
    name: typeof name === "string" ? name : undefined,
    email: typeof email === "string" ? email : undefined,
  };
}
