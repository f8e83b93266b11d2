import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { EndUser } from "../contract/end-user.ts";
import { ServiceError } from "../contract/errors.ts";
import type { KeyedRequest } from "../contract/keyed-request.ts";
import type { Operation, Workspace } from "../contract/operation.ts";

/** Parts of a request that identify it. */
interface Call {
  headers: IncomingHttpHeaders;
  workspace?: Workspace;
  user?: EndUser;
  bodyHash?: Buffer;
}

export const IDEMPOTENCY_KEY_HEADER = "idempotency-key";

/** Header of a response that is replayed. */
export const REPLAYED_HEADER = "idempotent-replayed";

/** A key: up to 255 visible ASCII characters, the maximum of Stripe's API. */
const KEY = /^[!-~]{1,255}$/;

/** Returns whether requests of the operation may have an Idempotency-Key. Others ignore it: they store nothing. */
export function takesIdempotencyKey(operation: Operation): boolean {
  return operation.authentication !== "none" && operation.scope !== "read" && !operation.isTransient;
}

/** Returns the request with its Idempotency-Key; undefined if it has none. Throws INVALID_ARGUMENT for a bad key. */
export function keyedRequest(call: Call, operation: Operation): KeyedRequest | undefined {
  const { headers, workspace, user, bodyHash } = call;
  const key = headers[IDEMPOTENCY_KEY_HEADER];
  if (key === undefined || !workspace || !takesIdempotencyKey(operation)) return undefined;
  if (typeof key !== "string" || !KEY.test(key)) {
    throw new ServiceError(
      "idempotency_key_invalid",
      "The header Idempotency-Key must have 1 to 255 visible ASCII characters.",
    );
  }
  const keyHash = computeHash(JSON.stringify([key, user?.userId ?? null]));
  const requestHash = computeHash(`${operation.path}\n${bodyHash?.toString("hex") ?? ""}`);
  return { workspaceId: workspace.id, keyHash, requestHash };
}

/** Returns the SHA-256 of the data. */
export function computeHash(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}
