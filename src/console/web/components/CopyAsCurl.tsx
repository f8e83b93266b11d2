import { Button, CopyButton } from "@mantine/core";
import { type CurlRequest, curlCommand } from "../api/curl.ts";
import { useWorkspace } from "../api/workspace.ts";
import { SERVICE_URL } from "../url.ts";

/** Copies the request of a panel as a curl command, with the workspace's API key and a placeholder for the token. */
export function CopyAsCurl({ request }: { request: CurlRequest }) {
  const { apiKey } = useWorkspace();
  return (
    <CopyButton value={curlCommand(request, { serviceUrl: SERVICE_URL, apiKey })} timeout={2_000}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy} aria-live="polite" title={request.path}>
          {copied ? "Copied" : "Copy as curl"}
        </Button>
      )}
    </CopyButton>
  );
}
