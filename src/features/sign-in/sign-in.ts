import { randomUUID } from "node:crypto";
import type { Database } from "../../database/database.ts";
import { generateToken, hashToken } from "./login-link.ts";
import { takeLink } from "./queries.ts";
import { deleteSessionOf, insertSession } from "./sessions/queries.ts";

const MAX_USER_AGENT_LENGTH = 256;

interface SignIn {
  linkToken: string;
  /** Token of the browser's previous session, which ends. */
  previousToken: string | undefined;
  userAgent: string;
}

interface SignedIn {
  /** Value of the cookie. It is shown only here. */
  sessionToken: string;
  /** Compared address of the owner; null for the operator. */
  ownerAddress: string | null;
  continueUrl: string | null;
}

/** Consumes the link and starts a session. Returns undefined if the link is used, expired or unknown. */
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
