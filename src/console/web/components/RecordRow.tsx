import { ActionIcon } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Icon } from "./Icon.tsx";

interface RecordRowProps {
  /** Summary of the record. Its links have a tab index of -1. */
  children: ReactNode;
  onSelect: () => void;
}

/** A row of a list that shows its record by click or Enter. */
export function RecordRow({ children, onSelect }: RecordRowProps) {
  const id = useId();
  return (
    <li>
      <div id={id}>{children}</div>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        aria-label="View record"
        aria-describedby={id}
        data-opens
        onClick={onSelect}
      >
        <Icon name="open" />
      </ActionIcon>
    </li>
  );
}
