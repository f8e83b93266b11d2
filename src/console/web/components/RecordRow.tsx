import { ActionIcon, Text } from "@mantine/core";
import { createContext, type ReactNode, useContext, useId } from "react";
import { Icon } from "./Icon.tsx";

/** ID of the element that names the record of a row. */
const HeadlineId = createContext<string | undefined>(undefined);

interface RecordRowProps {
  /** Summary of the record with a Headline. Its links have a tab index of -1. */
  children: ReactNode;
  onSelect: () => void;
}

/** A row of a list that shows its record by click or Enter. */
export function RecordRow({ children, onSelect }: RecordRowProps) {
  const buttonId = useId();
  const headlineId = useId();
  return (
    <li>
      <div>
        <HeadlineId value={headlineId}>{children}</HeadlineId>
      </div>
      <ActionIcon
        id={buttonId}
        variant="subtle"
        color="gray"
        c="dimmed"
        aria-label="View"
        aria-labelledby={`${buttonId} ${headlineId}`}
        data-opens
        onClick={onSelect}
      >
        <Icon name="open" />
      </ActionIcon>
    </li>
  );
}

/** The line of a summary that names the record, also for the button that opens it. */
export function Headline({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" lineClamp={3} id={useContext(HeadlineId)}>
      {children}
    </Text>
  );
}
