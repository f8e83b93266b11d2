import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { curlCommand } from "../../api/curl.ts";
import { useOpenApi } from "../../api/open-api.ts";
import type { LoggedRequest } from "../../api/records.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { Code } from "../../components/Code.tsx";
import { exactTime } from "../../components/exact-time.ts";
import { TextFactList } from "../../components/FactList.tsx";
import { SERVICE_URL } from "../../url.ts";

/** The part of the OpenAPI document that has the example of an operation. */
interface Examples {
  paths: Record<string, { post?: { requestBody: { content: Record<string, { example?: { data?: object } }> } } }>;
}

interface RequestDetailProps {
  request: LoggedRequest;
  tokenNames: ReadonlyMap<string, string>;
}

/** All that is kept of a request, and a command that sends the example of its operation. */
export function RequestDetail({ request, tokenNames }: RequestDetailProps) {
  const { requestId, timestamp, operation, status, reason, httpStatus, durationMs, authTokenId } = request;
  const caller = authTokenId === null ? "user token" : `auth token ${tokenNames.get(authTokenId) ?? authTokenId}`;
  const facts: (readonly [name: string, value: string])[] = [
    ["Operation", operation],
    ["Status", `${status} (HTTP ${httpStatus})`],
    ...(reason === null ? [] : [["Reason", reason] as const]),
    ["Time", exactTime(timestamp)],
    ["Duration", `${durationMs} ms`],
    ["Caller", caller],
    ["Request ID", requestId],
  ];
  return (
    <>
      <TextFactList facts={facts} />
      <ExampleCommand operation={operation} />
    </>
  );
}

function ExampleCommand({ operation }: { operation: string }) {
  const { apiKey } = useWorkspace();
  const { data: openApi } = useOpenApi<Examples>();
  const content = openApi?.paths[operation]?.post?.requestBody.content["application/json"];
  if (!content) return null;
  const request = { path: operation, data: content.example?.data ?? {} };
  return (
    <div>
      <Text size="sm" mb="xs">
        The body is not stored. This command sends the example from the{" "}
        <Anchor component={Link} href={`/api?${new URLSearchParams({ operation })}`} size="sm" underline="always">
          reference
        </Anchor>
        :
      </Text>
      <Code
        label="Request as curl"
        copyLabel="Copy as curl"
        text={curlCommand(request, { serviceUrl: SERVICE_URL, apiKey, isIndented: true })}
      />
    </div>
  );
}
