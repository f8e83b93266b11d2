import { Alert, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useApiQuery } from "../api/use-api.ts";
import { ConfirmButton } from "./ConfirmButton.tsx";
import { EmptyState } from "./EmptyState.tsx";
import { EXAMPLE_ACTIVITY } from "./example-requests.ts";

interface ActivityState {
  activityServiceConfig: { isEnabled: boolean };
}

interface EmptyActivityFeedProps {
  children: ReactNode;
  /** The one that the command writes to. */
  organizationId?: string;
}

/** In place of an empty feed: the command that fills it, and before it that the activity service is off. */
export function EmptyActivityFeed({ children, organizationId }: EmptyActivityFeedProps) {
  const { query } = useApiQuery<ActivityState>("/v2/workspace/activityconfig/get", {});
  const isOff = query.data?.data.activityServiceConfig.isEnabled === false;
  const { path, data } = EXAMPLE_ACTIVITY;
  const first = { path, data: { ...data, ...(organizationId !== undefined && { organizationId }) } };
  return (
    <>
      {isOff && (
        <Alert variant="outline" color="gray" role="status">
          <Group justify="space-between" gap="xs">
            <Text size="sm">The activity service is off: the command below is refused until it is turned on.</Text>
            <ConfirmButton
              label="Turn on…"
              what="adding activities"
              title="Let activities be added?"
              action="Turn on"
              request={{
                path: "/v2/workspace/activityconfig/update",
                data: { activityServiceConfig: { isEnabled: true } },
              }}
            >
              <Text size="sm">Activities are taken from all of your backends.</Text>
            </ConfirmButton>
          </Group>
        </Alert>
      )}
      <EmptyState first={first}>{children}</EmptyState>
    </>
  );
}
