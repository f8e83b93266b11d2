import { Table } from "@mantine/core";
import { Time } from "./Time.tsx";

/** The cell of a table with the time of the newest write in an organization or document, or by a user. */
export function LastActivityCell({ at }: { at: number | null }) {
  return (
    <Table.Td data-label="Last activity" className="words">
      {at === null ? "none" : <Time at={at} />}
    </Table.Td>
  );
}
