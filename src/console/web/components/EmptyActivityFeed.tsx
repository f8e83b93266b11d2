import { Alert, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useApiQuery } from "../api/use-api.ts";
import { ConfirmButton } from "./ConfirmButton.tsx";
import { EmptyState } from "./EmptyState.tsx";
import { EXAMPLE_ACTIVITY } from "./example-requests.ts";

interface EmptyActivityFeedProps {
  children: ReactNode;
  /** Organization in the example command. */
  organizationId?: string;
}

/** Replaces an empty feed with an example command, and offers to turn activity logging on if it is off. */
export function EmptyActivityFeed({ children, organizationId }: EmptyActivityFeedProps) {
  const { query } = useApiQuery("/v2/workspace/activityconfig/get", {});
  const isOff = query.data?.data.activityServiceConfig.isEnabled === false;
  const { path, data } = EXAMPLE_ACTIVITY;
  const example = { path, data: { ...data, ...(organizationId !== undefined && { organizationId }) } };
  return (
    <>
      {isOff && (
        <Alert variant="outline" color="gray" role="status">
          <Group justify="space-between" gap="xs">
            <Text size="sm">Activity logging is off. Turn it on before you run this command.</Text>
            <ConfirmButton
              label="Turn on…"
              target="activity logging"
              title="Turn on activity logging?"
              action="Turn on"
              request={{
                path: "/v2/workspace/activityconfig/update",
                data: { activityServiceConfig: { isEnabled: true } },
              }}
            >
              <Text size="sm">Your backends can add activities.</Text>
            </ConfirmButton>
          </Group>
        </Alert>
      )}
      <EmptyState example={example}>{children}</EmptyState>
    </>
  );
}
