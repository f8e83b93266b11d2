import { Anchor, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { AnyApiRequest } from "../api/call.ts";
import { curlCommand, TOKEN_PLACEHOLDER } from "../api/curl.ts";
import { useWorkspace } from "../api/workspace.ts";
import { SERVICE_URL } from "../url.ts";
import { Code } from "./Code.tsx";

interface EmptyStateProps {
  /** States that the list is empty and what it would contain. */
  children: ReactNode;
  /** The request that adds the first record. */
  example?: AnyApiRequest;
}

/** Replaces an empty list and shows the command that adds its first record. */
export function EmptyState({ children, example }: EmptyStateProps) {
  const { apiKey } = useWorkspace();
  return (
    <Stack gap="xs" py="sm">
      <Text size="sm">{children}</Text>
      {example && (
        <>
          <Code
            label="Command that adds the first record"
            text={curlCommand(example, { serviceUrl: SERVICE_URL, apiKey })}
          />
          <Text size="sm">
            Replace {TOKEN_PLACEHOLDER}.{" "}
            <Anchor component={Link} href="/settings?tab=tokens" size="sm" underline="always">
              Create token
            </Anchor>
          </Text>
        </>
      )}
    </Stack>
  );
}
