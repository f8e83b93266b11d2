import { NativeSelect } from "@mantine/core";
import { useUrlParameters } from "../url.ts";

interface SelectFilterProps {
  label: string;
  /** URL parameter that the filter sets. Changing it clears the page token. */
  name: string;
  options: readonly (string | { value: string; label: string })[];
}

/** A filter by one of some values, or any. */
export function SelectFilter({ label, name, options }: SelectFilterProps) {
  const { get, change } = useUrlParameters();
  return (
    <NativeSelect
      label={label}
      value={get(name) ?? ""}
      data={[{ value: "", label: "Any" }, ...options]}
      onChange={({ currentTarget: { value } }) => change({ [name]: value || undefined })}
    />
  );
}
