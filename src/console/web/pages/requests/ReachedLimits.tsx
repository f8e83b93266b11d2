import { Table } from "@mantine/core";
import type { ResponseData } from "../../api/call.ts";
import { exactTime } from "../../components/exact-time.ts";
import { formatCount } from "../../components/numbers.ts";
import { CallerName } from "./CallerName.tsx";
import { knownCaller } from "./caller-label.ts";

type ReachedLimit = ResponseData<"/v2/workspace/requests/statistics/get">["limits"][number];

interface ReachedLimitsProps {
  limits: ReachedLimit[];
  tokenNames: ReadonlyMap<string, string>;
}

/** The callers that have reached limits, those with the most rejected requests first. */
export function ReachedLimits({ limits, tokenNames }: ReachedLimitsProps) {
  return (
    <Table className="stacked numbers" verticalSpacing="xs" mt="md" aria-label="Callers that have reached limits">
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
        {limits.map((reached) => (
          <Row
            key={JSON.stringify([reached.limit, reached.userId, reached.authTokenId])}
            reached={reached}
            tokenNames={tokenNames}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ reached, tokenNames }: Pick<ReachedLimitsProps, "tokenNames"> & { reached: ReachedLimit }) {
  const { limit, authTokenId, requests, lastAt } = reached;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <CallerName authTokenId={authTokenId} label={knownCaller(reached, tokenNames) ?? "unknown caller"} />
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
