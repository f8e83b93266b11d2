import { Button, Group, Text } from "@mantine/core";

interface SaveLineProps {
  /** Whether the form differs from what is stored. */
  isChanged: boolean;
  /** Whether a dialog follows that asks for confirmation. */
  isConfirmed?: boolean;
  status: string;
}

/** The button that saves a form of settings, which is off until something changes, and what became of it. */
export function SaveLine({ isChanged, isConfirmed = false, status }: SaveLineProps) {
  return (
    <Group gap="sm">
      {/* A button with the attribute `disabled` loses the focus. */}
      <Button type="submit" aria-disabled={!isChanged} data-disabled={!isChanged || undefined}>
        {isConfirmed ? "Save…" : "Save"}
      </Button>
      <Text size="sm" role="status">
        {status}
      </Text>
    </Group>
  );
}
