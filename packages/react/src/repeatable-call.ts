import { newIdempotencyKey, type Path, type RequestData, type ResponseData } from "@colloquy/client";
import { useCallback, useRef } from "react";
import { useSession } from "./provider.tsx";

export type RepeatableCall = <P extends Path>(path: P, data: RequestData<P>) => Promise<ResponseData<P>>;

/**
 * Returns a function that calls an operation that writes. A call that failed may have been carried out all the same, so
 * the same call has the same idempotency key until it succeeds.
 */
export function useRepeatableCall(): RepeatableCall {
  const { client } = useSession();
  const failed = useRef(new Map<string, string>());
  return useCallback(
    async (path, data) => {
      const call = JSON.stringify([path, data]);
      const idempotencyKey = failed.current.get(call) ?? newIdempotencyKey();
      failed.current.set(call, idempotencyKey);
      const answer = await client.call(path, data, { idempotencyKey });
      failed.current.delete(call);
      return answer.data;
    },
    [client],
  );
}
