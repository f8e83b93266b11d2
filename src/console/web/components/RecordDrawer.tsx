import { Button, Drawer, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Json } from "./Code.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

interface RecordDrawerProps {
  title: string;
  /** Undefined while the drawer is closed. */
  value: unknown;
  /** Opens the drawer without a value, if the requested record does not exist. */
  isGone?: boolean;
  /** Opens the drawer without a value, because reading it has failed. */
  error?: Error | null;
  onClose: () => void;
  /** Shows the record for readers, with its JSON behind a button. Without it, the drawer shows the JSON. */
  children?: ReactNode;
}

/** A drawer that shows a record. */
export function RecordDrawer({ title, value, isGone = false, error = null, onClose, children }: RecordDrawerProps) {
  return (
    <Drawer
      opened={isGone || error !== null || value !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={<UntrustedText>{title}</UntrustedText>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {value !== undefined && !children && <Json label={title} value={value} isFullHeight />}
      {value !== undefined && children && (
        <Stack gap="md">
          {children}
          <JsonToggle label={title} value={value} />
        </Stack>
      )}
      {value === undefined && error && <ErrorMessage error={error} />}
      {isGone && <Text size="sm">This record does not exist, or was deleted.</Text>}
    </Drawer>
  );
}

function JsonToggle({ label, value }: { label: string; value: unknown }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs" align="flex-start">
      <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? "Hide JSON" : "View JSON"}
      </Button>
      {isOpen && <Json label={label} value={value} isFullHeight />}
    </Stack>
  );
}
