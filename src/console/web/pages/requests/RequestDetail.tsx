import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import type { LoggedRequest } from "../../api/records.ts";
import { exactTime } from "../../components/exact-time.ts";
import { TextFactList } from "../../components/FactList.tsx";
import { callerLabel } from "./caller-label.ts";

interface RequestDetailProps {
  request: LoggedRequest;
  tokenNames: ReadonlyMap<string, string>;
}

/** All that is kept of a request, and a link to the reference of its operation. */
export function RequestDetail({ request, tokenNames }: RequestDetailProps) {
  const { requestId, timestamp, operation, status, reason, message, httpStatus, durationMs } = request;
  const facts: (readonly [name: string, value: string])[] = [
    ["Operation", operation],
    ["Status", `${status} (HTTP ${httpStatus})`],
    ...(message === null ? [] : [["Message", message] as const]),
    ...(reason === null ? [] : [["Reason", reason] as const]),
    ...(request.limit === undefined ? [] : [["Limit", request.limit] as const]),
    ["Time", exactTime(timestamp)],
    ["Duration", `${durationMs} ms`],
    ...(request.organizationId === null ? [] : [["Organization", request.organizationId] as const]),
    ["Caller", callerLabel(request, tokenNames)],
    ["Client address", request.clientAddress],
    ["Request ID", requestId],
  ];
  return (
    <>
      <TextFactList facts={facts} />
      {status !== "NOT_FOUND" && (
        <Anchor component={Link} href={`/api?${new URLSearchParams({ operation })}`} size="sm" underline="always">
          Reference of {operation}
        </Anchor>
      )}
    </>
  );
}
