import { randomUUID } from "node:crypto";
import type { Database } from "../../database/database.ts";
import { generateToken, hashToken } from "./login-link.ts";
import { takeLink } from "./queries.ts";
import { deleteSessionOf, insertSession } from "./sessions/queries.ts";

const MAX_USER_AGENT_LENGTH = 256;

interface SignIn {
  linkToken: string;
  /** The browser's session before; it ends. */
  previousToken: string | undefined;
  userAgent: string;
}

interface SignedIn {
  /** The cookie's value; this is the only time that it is seen. */
  sessionToken: string;
  /** Null: the operator's. */
  ownerAddress: string | null;
  continueUrl: string | null;
}

/** Uses the link up and begins a session. Undefined where the link is used, old or unknown; nothing changes then. */
export function signIn(database: Database, { linkToken, previousToken, userAgent }: SignIn) {
  return database.transaction(async (transaction): Promise<SignedIn | undefined> => {
    const link = await takeLink(transaction, hashToken(linkToken));
    if (!link) return undefined;
    const sessionToken = generateToken();
    const { ownerAddress, continueUrl } = link;
    if (previousToken !== undefined) await deleteSessionOf(transaction, hashToken(previousToken));
    await insertSession(transaction, {
      id: randomUUID(),
      tokenHash: hashToken(sessionToken),
      ownerAddress,
      userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    });
    return { sessionToken, ownerAddress, continueUrl };
  });
}

export async function signOut(database: Database, sessionToken: string): Promise<void> {
  await database.transaction((transaction) => deleteSessionOf(transaction, hashToken(sessionToken)));
}
