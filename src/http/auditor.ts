import type { FastifyRequest } from "fastify";
import type { Actor, RecordActs } from "../contract/audit.ts";
import type { Context, Operation } from "../contract/operation.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Token or session of the caller, set by the authentication. */
    actor?: Actor;
  }
}

/** Returns the function with which an operation adds its act to the audit log: who called it, from where. */
export function auditorOf({ path, audit: action }: Operation, recordActs: RecordActs, request: FastifyRequest) {
  const { workspace, actor, ip: clientAddress } = request;
  const audit: Context["audit"] = (transaction, concerned) => {
    if (!action || !workspace || !actor) throw new Error(`${path} declares no audit action`);
    return recordActs(transaction, [{ workspaceId: workspace.id, action, actor, clientAddress, concerned }]);
  };
  return audit;
}
