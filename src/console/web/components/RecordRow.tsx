import { Button } from "@mantine/core";
import type { ReactNode } from "react";

interface RecordRowProps {
  /** Summary of the record. */
  children: ReactNode;
  onSelect: () => void;
}

/** A row of a list with a button that shows the record. */
export function RecordRow({ children, onSelect }: RecordRowProps) {
  return (
    <li>
      <div>{children}</div>
      <Button size="compact-xs" variant="default" onClick={onSelect}>
        View record
      </Button>
    </li>
  );
}
