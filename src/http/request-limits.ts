import type { FastifyRequest } from "fastify";
import { getClient } from "../contract/client-address.ts";
import type { EndUser } from "../contract/end-user.ts";
import type { Workspace } from "../contract/operation.ts";
import type { FairSemaphore, Member, Permit } from "../database/fair-semaphore.ts";

/** Whom the limits count a request to: a caller of a workspace, or the address of a client that is not known yet. */
export interface CountedCaller extends Member {
  isKnown: boolean;
}

/** Returns whom the requests of a client are counted to before its caller is known. */
export function unknownCaller(clientAddress: string): CountedCaller {
  return { group: getClient(clientAddress), name: "", isKnown: false };
}

/** Returns whom a request is counted to: the user of its user token, its auth token, its session, or its address. */
export function countedCaller({ workspace, user, actor, ip }: FastifyRequest): CountedCaller {
  if (!workspace) return unknownCaller(ip);
  return user ? countedUser(workspace, user) : { group: workspace.id, name: actor?.id ?? "", isKnown: true };
}

/** Returns whom the work of a request is counted to, with the organization that its body names. */
export function getMember(request: FastifyRequest): Member {
  const { organizationId } = Object(Object(request.body).data);
  return { ...countedCaller(request), ...(typeof organizationId === "string" && { organization: organizationId }) };
}

/** Returns whom the work of a user is counted to. */
export function countedUser({ id }: Pick<Workspace, "id">, { userId }: Pick<EndUser, "userId">): CountedCaller {
  return { group: id, name: `user ${userId}`, isKnown: true, isCapped: true };
}

/**
 * Waits for a place among the requests in progress. A request has one only while it works. Returns undefined if there
 * is a place at once.
 */
export function admit(request: FastifyRequest, admission: FairSemaphore): Promise<void> | undefined {
  const permit = admission.acquire(getMember(request), () => request.raw.socket.destroyed);
  if (permit instanceof Promise) return setWhenGranted(request, permit);
  request.permit = permit;
  return undefined;
}

async function setWhenGranted(request: FastifyRequest, permit: Promise<Permit>): Promise<void> {
  request.permit = await permit;
}

/** Gives back what the request has taken of the limits. */
export function releaseLimits(request: FastifyRequest): void {
  request.bodyClaim?.release();
  request.permit?.release();
}
