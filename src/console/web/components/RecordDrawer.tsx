import { Drawer, Text } from "@mantine/core";
import { Json } from "./Code.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

interface RecordDrawerProps {
  title: string;
  /** Undefined while it is closed. */
  value: unknown;
  /** Whether it is open without a value, as the record that was asked for is gone. */
  isGone?: boolean;
  onClose: () => void;
}

/** A record as the API sends it. */
export function RecordDrawer({ title, value, isGone = false, onClose }: RecordDrawerProps) {
  return (
    <Drawer
      opened={isGone || value !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={<UntrustedText>{title}</UntrustedText>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {value !== undefined && <Json label={title} value={value} isWhole />}
      {isGone && <Text size="sm">This record is not there any more.</Text>}
    </Drawer>
  );
}
