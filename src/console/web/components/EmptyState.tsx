import { Anchor, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { ApiRequest } from "../api/call.ts";
import { curlCommand, TOKEN_PLACEHOLDER } from "../api/curl.ts";
import { useWorkspace } from "../api/workspace.ts";
import { SERVICE_URL } from "../url.ts";
import { Code } from "./Code.tsx";

interface EmptyStateProps {
  /** Why nothing is here, and what would be. */
  children: ReactNode;
  /** The request that makes the first record. */
  first?: ApiRequest;
}

/** In place of an empty list: what belongs here and the command that puts it there. */
export function EmptyState({ children, first }: EmptyStateProps) {
  const { apiKey } = useWorkspace();
  return (
    <Stack gap="xs" py="sm">
      <Text size="sm">{children}</Text>
      {first && (
        <>
          <Code
            label="Command that makes the first record"
            text={curlCommand(first, { serviceUrl: SERVICE_URL, apiKey })}
          />
          <Text size="sm">
            In place of {TOKEN_PLACEHOLDER} put an auth token;{" "}
            <Anchor component={Link} href="/settings?tab=tokens" size="sm" underline="always">
              Settings
            </Anchor>{" "}
            makes one.
          </Text>
        </>
      )}
    </Stack>
  );
}
