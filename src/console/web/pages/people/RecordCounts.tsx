import { Button, Table, Text } from "@mantine/core";
import { formatCount } from "../../components/numbers.ts";

/** Records by kind, at most 100 of each on a page. */
export type UserData = Record<string, object[]>;

interface RecordCountsProps {
  data: UserData;
  onSelect: (kind: string) => void;
}

/** How many records of each kind are on this page of the answer; each kind's are one click away. */
export function RecordCounts({ data, onSelect }: RecordCountsProps) {
  const kinds = Object.entries(data);
  const there = kinds.filter(([, records]) => records.length > 0);
  const absent = kinds.filter(([, records]) => records.length === 0).map(([kind]) => kindLabel(kind));
  return (
    <>
      <Table withRowBorders={false} verticalSpacing={4} className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Kind</Table.Th>
            <Table.Th scope="col">On this page</Table.Th>
            <Table.Th scope="col">
              <span className="unseen">Records</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {there.map(([kind, records]) => (
            <Table.Tr key={kind}>
              <Table.Th scope="row">{kindLabel(kind)}</Table.Th>
              <Table.Td>{formatCount(records.length)}</Table.Td>
              <Table.Td>
                <Button size="compact-xs" variant="default" onClick={() => onSelect(kind)}>
                  Records
                  <span className="unseen"> of {kindLabel(kind)}</span>
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {absent.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          None on this page: {absent.join(", ")}.
        </Text>
      )}
    </>
  );
}

/** `notificationConfigs` is "notification configs". */
export function kindLabel(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
