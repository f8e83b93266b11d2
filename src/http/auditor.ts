import type { FastifyRequest } from "fastify";
import type { Actor, RecordAuditEntries } from "../contract/audit.ts";
import type { EndUser } from "../contract/end-user.ts";
import type { Context, Operation } from "../contract/operation.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Token or session of the caller, set by the authentication. */
    actor?: Actor;
  }
}

/** Returns the function with which an operation adds an entry to the audit log: who called it, from where. */
export function getAuditor(
  { path, audit: action }: Operation,
  recordAuditEntries: RecordAuditEntries,
  request: FastifyRequest,
) {
  const audit: Context["audit"] = (transaction, target, workspaceIds) => {
    const { workspace, user, ip: clientAddress } = request;
    const actor = user ? toActor(user) : request.actor;
    if (!action) throw new Error(`${path} declares no audit action.`);
    if (!workspace || !actor) throw new Error(`${path} audits an act of a caller who is not authenticated.`);
    const entry = { action, actor, clientAddress, target };
    const entries = (workspaceIds ?? [workspace.id]).map((workspaceId) => ({ workspaceId, ...entry }));
    return recordAuditEntries(transaction, entries);
  };
  return audit;
}

function toActor({ userId }: EndUser): Actor {
  return { type: "user", id: userId, name: userId };
}
