import { Button } from "@mantine/core";
import { type CurlRequest, curlCommand } from "../api/curl.ts";
import { useWorkspace } from "../api/workspace.ts";
import { SERVICE_URL } from "../url.ts";
import { CopyText } from "./CopyText.tsx";

/** Copies the request of a panel as a curl command, with the workspace's API key and a placeholder for the token. */
export function CopyAsCurl({ request }: { request: CurlRequest }) {
  const { apiKey } = useWorkspace();
  return (
    <CopyText text={curlCommand(request, { serviceUrl: SERVICE_URL, apiKey })} label="Copy as curl">
      {({ label, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy} aria-live="polite" title={request.path}>
          {label}
        </Button>
      )}
    </CopyText>
  );
}
