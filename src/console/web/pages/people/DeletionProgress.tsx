import { Anchor, Progress as ProgressBar, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { formatCount, pluralize } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";

const PATH = "/v2/users/data/delete/status";
const POLL_MS = 1_000;

type DeletionStatus = ResponseData<typeof PATH>;

/** Shows the progress of a deletion job, then a link to its receipt. */
export function DeletionProgress({ jobId }: { jobId: string }) {
  const apiQuery = useApiQuery(PATH, { jobId }, { refetchMs: (status) => !status?.isDeleteCompleted && POLL_MS });
  const isDone = apiQuery.query.data?.data.isDeleteCompleted === true;
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  // The rest of the page shows data from before the deletion.
  useEffect(() => {
    if (isDone) void queryClient.invalidateQueries({ queryKey: [workspaceId] });
  }, [isDone, queryClient, workspaceId]);
  return (
    <Panel title="Deletion" apiQuery={apiQuery}>
      {(status) => (
        <>
          <Progress status={status} />
          {isDone && (
            <Anchor component={Link} href={`/deletions?${new URLSearchParams({ job: jobId })}`} size="sm">
              Show receipt
            </Anchor>
          )}
        </>
      )}
    </Panel>
  );
}

/** Shows how many organizations were searched. The job searches each twice, so each stage is half of the bar. */
function Progress({ status: { isDeleteCompleted, lastTaskCompletedTime, progress } }: { status: DeletionStatus }) {
  const { stage, organizationsDone = 0, organizationsCount = 0 } = progress ?? {};
  const done = organizationsDone + (stage === "purging" ? organizationsCount : 0);
  const share = organizationsCount === 0 ? 0 : Math.floor((done / (2 * organizationsCount)) * 100);
  const searched = `${formatCount(organizationsDone)} of ${pluralize(organizationsCount, "organization")} searched`;
  return (
    <>
      {!isDeleteCompleted && (
        <ProgressBar.Root size="lg" transitionDuration={200}>
          <ProgressBar.Section value={share} aria-label="Deletion progress" />
        </ProgressBar.Root>
      )}
      <Text size="sm" mt="xs" role="status">
        {isDeleteCompleted ? (
          <>✓ Completed {lastTaskCompletedTime !== null && <Time at={lastTaskCompletedTime} />}.</>
        ) : (
          `${stage === "purging" ? "Deleting" : "Collecting email addresses"}: ${searched}.`
        )}
      </Text>
    </>
  );
}
