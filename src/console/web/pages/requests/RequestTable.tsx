import { Anchor, Badge, Table, Text } from "@mantine/core";
import { Link } from "wouter";
import type { LoggedRequest } from "../../api/records.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

interface RequestTableProps {
  requests: LoggedRequest[];
  tokenNames: ReadonlyMap<string, string>;
}

/** The requests, each of which opens by the URL parameter `record`. */
export function RequestTable({ requests, tokenNames }: RequestTableProps) {
  return (
    <Table className="stacked numbers" verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Operation</Table.Th>
          <Table.Th scope="col" className="words">
            Status
          </Table.Th>
          <Table.Th scope="col" className="words">
            Time
          </Table.Th>
          <Table.Th scope="col">Duration</Table.Th>
          <Table.Th scope="col" className="words">
            Caller
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map((request) => (
          <Row key={request.requestId} request={request} tokenNames={tokenNames} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ request, tokenNames }: { request: LoggedRequest; tokenNames: ReadonlyMap<string, string> }) {
  const { link } = useUrlParameters();
  const { requestId, operation, status, reason, timestamp, durationMs, authTokenId } = request;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Anchor component={Link} href={link({ record: requestId })} size="sm" c="inherit" data-opens>
          <UntrustedText>{operation}</UntrustedText>
        </Anchor>
      </Table.Th>
      <Table.Td className="words">
        <Badge variant="default" tt="none" data-failed={status !== "OK"} className="outcome">
          {status}
        </Badge>
        {reason !== null && (
          <Text size="xs" c="dimmed" mt={2}>
            <UntrustedText>{reason}</UntrustedText>
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Time" className="words">
        <Time at={timestamp} />
      </Table.Td>
      <Table.Td data-label="Duration">{durationMs} ms</Table.Td>
      <Table.Td data-label="Caller" className="words">
        {authTokenId === null ? (
          "user token"
        ) : (
          <FilterLink href={link({ token: authTokenId })}>
            <UntrustedText>{tokenNames.get(authTokenId) ?? authTokenId}</UntrustedText>
          </FilterLink>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
