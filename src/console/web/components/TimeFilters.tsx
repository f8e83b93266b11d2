import { useUrlParameters } from "../url.ts";
import { fromTimeInput } from "./local-time.ts";
import { TextFilter } from "./TextFilter.tsx";

/** The filters by the start and the end of a period, in the time zone of the browser. */
export function TimeFilters() {
  const { get } = useUrlParameters();
  const [from = 0, to = Number.POSITIVE_INFINITY] = [fromTimeInput(get("from")), fromTimeInput(get("to"))];
  return (
    <>
      <TextFilter label="From" name="from" type="datetime-local" />
      <TextFilter label="To" name="to" type="datetime-local" error={from > to && "From is after To."} />
    </>
  );
}
