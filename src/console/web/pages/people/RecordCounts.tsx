import { Button, Table, Text } from "@mantine/core";
import type { RecordsByKind } from "../../api/records.ts";
import { formatCount } from "../../components/numbers.ts";

interface RecordCountsProps {
  data: RecordsByKind;
  onSelect: (kind: string) => void;
}

/** A table of the number of records of each kind on this page, each of which shows them. */
export function RecordCounts({ data, onSelect }: RecordCountsProps) {
  const kinds = Object.entries(data);
  const found = kinds.filter(([, records]) => records.length > 0);
  const empty = kinds.filter(([, records]) => records.length === 0).map(([kind]) => kindLabel(kind));
  return (
    <>
      <Table withRowBorders={false} verticalSpacing={4} className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Kind</Table.Th>
            <Table.Th scope="col">Records</Table.Th>
            <Table.Th scope="col">
              <span className="visually-hidden">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.map(([kind, records]) => (
            <Table.Tr key={kind}>
              <Table.Th scope="row">{kindLabel(kind)}</Table.Th>
              <Table.Td>{formatCount(records.length)}</Table.Td>
              <Table.Td>
                <Button size="compact-xs" variant="default" data-opens onClick={() => onSelect(kind)}>
                  View
                  <span className="visually-hidden"> {kindLabel(kind)}</span>
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {empty.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          None on this page: {empty.join(", ")}.
        </Text>
      )}
    </>
  );
}

/** Returns the label of a kind, such as "notification configs" for `notificationConfigs`. */
export function kindLabel(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
