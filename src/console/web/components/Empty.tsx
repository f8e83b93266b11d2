import { Anchor, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { SERVICE_URL } from "../address.ts";
import type { ApiRequest } from "../api/call.ts";
import { curlOf, TOKEN_PLACEHOLDER } from "../api/curl.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Code } from "./Code.tsx";

interface EmptyProps {
  /** Why nothing is here, and what would be. */
  children: ReactNode;
  /** The request that makes the first record. */
  first?: ApiRequest;
}

/** In place of an empty list: what belongs here and the command that puts it there. */
export function Empty({ children, first }: EmptyProps) {
  const { apiKey } = useWorkspace();
  return (
    <Stack gap="xs" py="sm">
      <Text size="sm">{children}</Text>
      {first && (
        <>
          <Code label="Command that makes the first record" text={curlOf(first, { serviceUrl: SERVICE_URL, apiKey })} />
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
