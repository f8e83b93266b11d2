import { NativeSelect } from "@mantine/core";
import { useUrlParameters } from "../url.ts";

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
  const { get, change } = useUrlParameters();
  return (
    <NativeSelect
      label="State"
      value={get("state") ?? ""}
      data={[
        { value: "", label: "Any" },
        { value: "enabled", label: "Enabled" },
        { value: "disabled", label: "Disabled" },
      ]}
      onChange={({ currentTarget: { value } }) => change({ state: value || undefined, page: undefined })}
    />
  );
}
