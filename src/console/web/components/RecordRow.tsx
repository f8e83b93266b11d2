import { Button } from "@mantine/core";
import type { ReactNode } from "react";

interface RecordRowProps {
  /** What the record says to people. */
  children: ReactNode;
  onSelect: () => void;
}

/** One of a list, with the way to the record as the API sends it. */
export function RecordRow({ children, onSelect }: RecordRowProps) {
  return (
    <li>
      <div>{children}</div>
      <Button size="compact-xs" variant="default" onClick={onSelect}>
        Record
      </Button>
    </li>
  );
}
