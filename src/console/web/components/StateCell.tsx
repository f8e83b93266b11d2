import { Badge, Table } from "@mantine/core";

/** The cell of a table that says whether an organization or document is disabled. */
export function StateCell({ isDisabled }: { isDisabled: boolean }) {
  return (
    <Table.Td {...(isDisabled && { "data-label": "State" })} className="words state">
      {isDisabled ? (
        <Badge variant="default" tt="none" miw="max-content">
          Disabled
        </Badge>
      ) : (
        <span className="visually-hidden">Enabled</span>
      )}
    </Table.Td>
  );
}
