import type { PagePath } from "../api.generated.ts";
import type { Client, RequestData, ResponseData } from "../client.ts";
import { newIdempotencyKey } from "../idempotency-key.ts";

/** Operations that add a record. Only these get an idempotency key: replaying an old update could undo a later one. */
const ADDING = new Set<PagePath>(["/v2/commentannotations/add", "/v2/commentannotations/comments/add"]);

export type RepeatableCall = <P extends PagePath>(path: P, data: RequestData<P, "page">) => Promise<ResponseData<P>>;

/**
 * Returns a function that calls an operation that writes. A call that failed may have been carried out, so the same
 * addition has the same idempotency key until it succeeds.
 */
export function repeatableCall(client: Client<"page">): RepeatableCall {
  const failed = new Map<string, string>();
  return async (path, data) => {
    if (!ADDING.has(path)) return (await client.call(path, data)).data;
    const call = JSON.stringify([path, data]);
    const idempotencyKey = failed.get(call) ?? newIdempotencyKey();
    failed.set(call, idempotencyKey);
    const response = await client.call(path, data, { idempotencyKey });
    failed.delete(call);
    return response.data;
  };
}
