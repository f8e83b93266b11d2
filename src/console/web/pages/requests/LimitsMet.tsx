import { Table } from "@mantine/core";
import type { ResponseData } from "../../api/call.ts";
import { exactTime } from "../../components/exact-time.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { formatCount } from "../../components/numbers.ts";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

type Met = ResponseData<"/v2/workspace/requests/statistics/get">["limits"][number];

interface LimitsMetProps {
  limits: Met[];
  tokenNames: ReadonlyMap<string, string>;
}

/** The callers that have met limits, those with the most rejected requests first. */
export function LimitsMet({ limits, tokenNames }: LimitsMetProps) {
  return (
    <Table className="stacked numbers" verticalSpacing="xs" mt="md" aria-label="Callers that have met limits">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Caller</Table.Th>
          <Table.Th scope="col" className="words">
            Limit
          </Table.Th>
          <Table.Th scope="col">Rejected</Table.Th>
          <Table.Th scope="col" className="words">
            Last
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {limits.map((met) => (
          <Row key={JSON.stringify([met.limit, met.userId, met.authTokenId])} met={met} tokenNames={tokenNames} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ met, tokenNames }: Pick<LimitsMetProps, "tokenNames"> & { met: Met }) {
  const { link } = useUrlParameters();
  const { limit, userId, authTokenId, requests, lastAt } = met;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {authTokenId === null ? (
          <UntrustedText>{userId === null ? "unknown caller" : `user ${userId}`}</UntrustedText>
        ) : (
          <FilterLink href={link({ token: authTokenId })}>
            <UntrustedText>{`auth token ${tokenNames.get(authTokenId) ?? authTokenId}`}</UntrustedText>
          </FilterLink>
        )}
      </Table.Th>
      <Table.Td data-label="Limit" className="words">
        {limit}
      </Table.Td>
      <Table.Td data-label="Rejected">{formatCount(requests)}</Table.Td>
      <Table.Td data-label="Last" className="words">
        <time dateTime={new Date(lastAt).toISOString()}>{exactTime(lastAt)}</time>
      </Table.Td>
    </Table.Tr>
  );
}
