import type { Connection } from "@hocuspocus/server";
import type { AccessRole, EndUser } from "../../../contract/end-user.ts";
import { ServiceError } from "../../../contract/errors.ts";
import type { Workspace } from "../../../contract/operation.ts";
import type { Member } from "../../../database/fair-semaphore.ts";
import type { OrganizationKey } from "../../../database/keys.ts";
import type { NamedDocumentRef } from "./document-name.ts";
import type { PageIdentity } from "./page-identity.ts";

/** A WebSocket with the methods that Hocuspocus calls. */
export interface SyncSocket {
  readonly readyState: number;
  send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void;
  close(code?: number, reason?: string): void;
  /** Does work that sends a large response, once the client has read all before it and the process has capacity. */
  respond(work: () => Promise<void>): Promise<void>;
  /** Stops reading until as many calls of `resume`. */
  pause(): void;
  resume(): void;
}

/** Decides what the clients of a socket may do. Both throw ServiceError. */
export interface SyncCaller {
  authenticate(token: string): Promise<{ workspace: Workspace; user: EndUser }>;
  findRole(
    caller: { workspace: Workspace; user: EndUser },
    ref: Omit<NamedDocumentRef, "editorId">,
  ): Promise<AccessRole | null>;
}

/** Returns to whom the work on a connection's updates is counted. */
export function getSender({ organizationKey, user }: SyncContext): Member {
  return { group: organizationKey ?? "", name: user?.userId ?? "" };
}

/** Close code of a connection that its caller may not use. */
export const POLICY_VIOLATION = 1008;

/** Context of the connections of a socket. Optional fields are set once a connection is authenticated. */
export interface SyncContext {
  socket: SyncSocket;
  caller: SyncCaller;
  /** Called when the connection of a document is open, unless it has closed meanwhile. */
  opened(connection: Connection<SyncContext>): void;
  /** Counts a connection that is closed because of what its client has sent. */
  count(reason: string): void;
  token?: string;
  ref?: NamedDocumentRef;
  user?: EndUser;
  /** Whether the workspace shows addresses to users. */
  showsEmails?: boolean;
  organizationKey?: OrganizationKey;
  identity?: PageIdentity;
  /** ID of the user as an author of the document, once the connection has written. */
  authorId?: Promise<string | null>;
}

/** Rejects a client. It has no message, because Hocuspocus prints messages; clients get the reason. */
export class SyncError extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super("");
    this.reason = reason;
  }
}

/** Closes a socket whose clients should connect again. */
export function closeForRetry(socket: SyncSocket): void {
  socket.close(1013, "unavailable");
}

/** Closes the connection of a document because of what its client has sent, and counts it once. */
export function closeRejected(connection: Connection<SyncContext>, reason: string): void {
  if (connection.document.hasConnection(connection)) connection.context.count(reason);
  connection.close({ code: 1000, reason });
}

/** Returns the reason if the error rejects the caller, or undefined if the service is unavailable. */
export function getErrorReason(error: unknown): string | undefined {
  if (error instanceof SyncError) return error.reason;
  const isRejection = error instanceof ServiceError && !["INTERNAL", "UNAVAILABLE"].includes(error.status);
  return isRejection ? error.reason : undefined;
}

/** Returns the role of a user in a document. Throws unless the user may at least read it. */
export async function authorize(
  { caller }: SyncContext,
  token: string,
  ref: NamedDocumentRef,
): Promise<{ workspace: Workspace; user: EndUser; role: AccessRole }> {
  const authenticated = await caller.authenticate(token);
  const role = await caller.findRole(authenticated, ref);
  if (role === null) throw new SyncError("access_denied");
  return { ...authenticated, role };
}
