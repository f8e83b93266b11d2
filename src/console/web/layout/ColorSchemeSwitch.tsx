import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from "@mantine/core";

const SCHEMES: { value: MantineColorScheme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "auto", label: "Auto" },
  { value: "dark", label: "Dark" },
];

/** Switches between light, dark, and the system's color scheme. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Color scheme"
      size="xs"
      fullWidth
      data={SCHEMES}
      value={colorScheme}
      onChange={setColorScheme}
    />
  );
}
