import { Text } from "@mantine/core";
import { useApiQuery } from "../../api/use-api.ts";
import { WorkspaceActivityList } from "../../components/WorkspaceActivityList.tsx";

const RECENT_COUNT = 10;

/** The newest activities of a user in all organizations. */
export function UserActivity({ userId }: { userId: string }) {
  const apiQuery = useApiQuery("/v2/workspace/activities/get", { userId, pageSize: RECENT_COUNT });
  return (
    <WorkspaceActivityList
      title="Recent activity"
      apiQuery={apiQuery}
      empty={<Text size="sm">No activity of this user is stored.</Text>}
    />
  );
}
