import { useUrlParameters } from "../url.ts";
import { SelectFilter } from "./SelectFilter.tsx";

const STATES = new Map([
  ["enabled", false],
  ["disabled", true],
]);

/** Returns the filter by the URL parameter `state`: whether rows are disabled; undefined for all. */
export function useStateFilter(): boolean | undefined {
  return STATES.get(useUrlParameters().get("state") ?? "");
}

/** Selects the enabled or the disabled rows of a table. */
export function StateFilter() {
  const options = [
    { value: "enabled", label: "Enabled" },
    { value: "disabled", label: "Disabled" },
  ];
  return <SelectFilter label="State" name="state" options={options} />;
}
