import { Drawer } from "@mantine/core";
import { Json } from "./Code.tsx";

interface RecordDrawerProps {
  title: string;
  /** Undefined while it is closed. */
  value: unknown;
  onClose: () => void;
}

/** A record as the API sends it. */
export function RecordDrawer({ title, value, onClose }: RecordDrawerProps) {
  return (
    <Drawer
      opened={value !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={title}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {value !== undefined && <Json label={title} value={value} />}
    </Drawer>
  );
}
