import { newIdempotencyKey, type PagePath, type RequestData, type ResponseData } from "@colloquy/client";
import { useCallback, useRef } from "react";
import { useSession } from "./provider.tsx";

/** Operations that add a record. Only these get an idempotency key: replaying an old update could undo a later one. */
const ADDING = new Set<PagePath>(["/v2/commentannotations/add", "/v2/commentannotations/comments/add"]);

export type RepeatableCall = <P extends PagePath>(path: P, data: RequestData<P, "page">) => Promise<ResponseData<P>>;

/**
 * Returns a function that calls an operation that writes. A call that failed may have been carried out, so the same
 * addition has the same idempotency key until it succeeds.
 */
export function useRepeatableCall(): RepeatableCall {
  const { client } = useSession();
  const failed = useRef(new Map<string, string>());
  return useCallback(
    async (path, data) => {
      if (!ADDING.has(path)) return (await client.call(path, data)).data;
      const call = JSON.stringify([path, data]);
      const idempotencyKey = failed.current.get(call) ?? newIdempotencyKey();
      failed.current.set(call, idempotencyKey);
      const response = await client.call(path, data, { idempotencyKey });
      failed.current.delete(call);
      return response.data;
    },
    [client],
  );
}
