import { Drawer, Text } from "@mantine/core";
import { Json } from "./Code.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

interface RecordDrawerProps {
  title: string;
  /** Undefined while the drawer is closed. */
  value: unknown;
  /** Opens the drawer without a value, if the requested record does not exist. */
  isGone?: boolean;
  onClose: () => void;
}

/** A drawer that shows a record as the API returns it. */
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
      {value !== undefined && <Json label={title} value={value} isFullHeight />}
      {isGone && <Text size="sm">This record no longer exists.</Text>}
    </Drawer>
  );
}
