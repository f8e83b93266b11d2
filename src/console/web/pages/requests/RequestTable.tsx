import { Anchor, Badge, Table, Text } from "@mantine/core";
import { Link } from "wouter";
import type { LoggedRequest } from "../../api/records.ts";
import { exactTime } from "../../components/exact-time.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { useOrganizationNames } from "../../components/organization-names.ts";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { CallerName } from "./CallerName.tsx";
import { callerLabel } from "./caller-label.ts";

interface RequestTableProps {
  requests: LoggedRequest[];
  tokenNames: ReadonlyMap<string, string>;
}

/** The requests, each of which opens by the URL parameter `record`. */
export function RequestTable({ requests, tokenNames }: RequestTableProps) {
  const getName = useOrganizationNames(requests.flatMap(({ organizationId }) => organizationId ?? []));
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
            Organization
          </Table.Th>
          <Table.Th scope="col" className="words">
            Caller
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map((request) => (
          <Row key={request.requestId} request={request} tokenNames={tokenNames} getName={getName} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface RowProps {
  request: LoggedRequest;
  tokenNames: ReadonlyMap<string, string>;
  /** Returns the name of an organization, or its ID. */
  getName: (organizationId: string) => string;
}

function Row({ request, tokenNames, getName }: RowProps) {
  const { link } = useUrlParameters();
  const { requestId, operation, status, message, httpStatus, timestamp, durationMs } = request;
  const { authTokenId, organizationId, clientAddress } = request;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Anchor component={Link} href={link({ record: requestId })} size="sm" c="inherit" data-opens>
          <UntrustedText>{operation}</UntrustedText>
        </Anchor>
        {message !== null && (
          <Text size="xs" mt={2} lineClamp={2} maw="32rem">
            <UntrustedText>{message}</UntrustedText>
          </Text>
        )}
      </Table.Th>
      <Table.Td className="words unlabelled">
        <Badge variant="default" tt="none" data-failed={status !== "OK"} className="outcome">
          {status}
        </Badge>{" "}
        <Text size="xs" c="dimmed" component="span">
          HTTP {httpStatus}
        </Text>
      </Table.Td>
      <Table.Td className="words unlabelled">
        <time dateTime={new Date(timestamp).toISOString()}>{exactTime(timestamp)}</time>
      </Table.Td>
      <Table.Td className="unlabelled">{durationMs} ms</Table.Td>
      <Table.Td data-label="Organization" className="words">
        {organizationId !== null && (
          <FilterLink href={link({ organization: organizationId })}>
            <UntrustedText>{getName(organizationId)}</UntrustedText>
          </FilterLink>
        )}
      </Table.Td>
      <Table.Td data-label="Caller" className="words">
        <CallerName authTokenId={authTokenId} label={callerLabel(request, tokenNames)} />{" "}
        <Text size="xs" c="dimmed" component="span">
          {clientAddress}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
