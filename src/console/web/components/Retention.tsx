import type { ResponseData } from "../api/call.ts";
import { useApiQuery } from "../api/use-api.ts";

const PATH = "/v2/workspace/retention/get";

/** Returns the times for which the service keeps data, with the state of their query. */
export function useRetention() {
  return useApiQuery(PATH, {});
}

type Kind = Exclude<keyof ResponseData<typeof PATH>, "eventHours">;

/** Says for how long the page's records are kept, unless that is for ever. Starts with a space, behind a sentence. */
export function KeptFor({ kind }: { kind: Kind }) {
  const days = useRetention().query.data?.data[kind];
  return days === undefined || days === null ? null : <> Kept for {describeDays(days)}.</>;
}

/** Returns a number of days in words, such as `90 days`. */
export function describeDays(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}
