import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from "@mantine/core";

const SCHEMES: { value: MantineColorScheme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "auto", label: "Auto" },
  { value: "dark", label: "Dark" },
];

/** `auto` is as the system is set. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Colours"
      size="xs"
      fullWidth
      data={SCHEMES}
      value={colorScheme}
      onChange={setColorScheme}
    />
  );
}
