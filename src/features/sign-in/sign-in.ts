import { randomUUID } from "node:crypto";
import type { Session } from "../../contract/operation.ts";
import type { Queryable, TransactionalQueryable } from "../../database/statement.ts";
import { insertAuditEntries } from "../audit/audit-queries.ts";
import { generateToken, hashToken } from "./login-link.ts";
import { auditedWorkspaces } from "./sessions/audited-workspaces.ts";
import { deleteSession, insertSession } from "./sessions/session-queries.ts";
import { takeLink } from "./sign-in-queries.ts";

const MAX_USER_AGENT_LENGTH = 256;

interface SignIn {
  linkToken: string;
  /** Token of the browser's previous session, which ends. */
  previousToken: string | undefined;
  userAgent: string;
  clientAddress: string;
}

interface SignedIn {
  /** Value of the cookie. It is shown only here. */
  sessionToken: string;
  /** Compared address of the owner; null for the operator. */
  ownerAddress: string | null;
  continueUrl: string | null;
}

/** Consumes the link and starts a session. Returns undefined if the link is used, expired or unknown. */
export function signIn(
  database: TransactionalQueryable,
  { linkToken, previousToken, userAgent, clientAddress }: SignIn,
) {
  return database.transaction(async (transaction): Promise<SignedIn | undefined> => {
    const link = await takeLink(transaction, hashToken(linkToken));
    if (!link) return undefined;
    const sessionToken = generateToken();
    const { ownerAddress, continueUrl } = link;
    if (previousToken !== undefined) await endSession(transaction, previousToken, clientAddress);
    const id = randomUUID();
    await insertSession(transaction, {
      id,
      tokenHash: hashToken(sessionToken),
      ownerAddress,
      userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    });
    await recordSessionAct(transaction, "session.begin", { id, ownerAddress }, clientAddress);
    return { sessionToken, ownerAddress, continueUrl };
  });
}

export async function signOut(
  database: TransactionalQueryable,
  { sessionToken, clientAddress }: { sessionToken: string; clientAddress: string },
): Promise<void> {
  await database.transaction((transaction) => endSession(transaction, sessionToken, clientAddress));
}

async function endSession(transaction: Queryable, sessionToken: string, clientAddress: string): Promise<void> {
  const ended = await deleteSession(transaction, hashToken(sessionToken));
  if (ended) await recordSessionAct(transaction, "session.end", ended, clientAddress);
}

/** Adds an entry about the act to the audit logs that record acts on the session. */
async function recordSessionAct(
  transaction: Queryable,
  action: "session.begin" | "session.end",
  { id, ownerAddress }: Session,
  clientAddress: string,
): Promise<void> {
  const actor = { type: "session", id, name: ownerAddress } as const;
  const entry = { action, actor, clientAddress, target: { sessionIds: [id] } };
  const workspaceIds = await auditedWorkspaces(transaction, ownerAddress);
  const entries = workspaceIds.map((workspaceId) => ({ workspaceId, ...entry }));
  await insertAuditEntries(transaction, entries);
}
