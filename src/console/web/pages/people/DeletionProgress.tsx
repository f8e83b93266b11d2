import { Progress as ProgressBar, Table, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call, type ResponseData } from "../../api/call.ts";
import { type ApiQuery, useApiQuery } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { downloadJson } from "../../components/download.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { formatCount, pluralize } from "../../components/numbers.ts";
import { Panel } from "../../components/Panel.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { kindLabel } from "./RecordCounts.tsx";

const PATH = "/v2/users/data/delete/status";
const POLL_MS = 1_000;
/** Number of receipt entries shown. The download contains all of them. */
const MAX_ENTRIES = 20;

type DeletionStatus = ResponseData<typeof PATH>;
type ReceiptEntry = NonNullable<DeletionStatus["receipt"]>[number];

function useDeletion(jobId: string | undefined): ApiQuery<DeletionStatus> {
  return useApiQuery(
    PATH,
    { jobId: jobId ?? "" },
    { isEnabled: jobId !== undefined, refetchMs: (status) => (status?.isDeleteCompleted ? false : POLL_MS) },
  );
}

/** Returns whether the job in the URL is completed. */
export function useIsDeletionCompleted(): boolean {
  return useDeletion(useUrlParameters().get("job")).query.data?.data.isDeleteCompleted === true;
}

/** Shows the progress of a deletion job, then its receipt. */
export function DeletionProgress({ jobId }: { jobId: string }) {
  const apiQuery = useDeletion(jobId);
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
          {status.receipt && <Receipt jobId={jobId} entries={status.receipt} />}
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

function Receipt({ jobId, entries }: { jobId: string; entries: ReceiptEntry[] }) {
  const { id: workspaceId } = useWorkspace();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const receipt: ReceiptEntry[] = [];
      let pageToken: string | undefined;
      let status: DeletionStatus;
      do {
        const page = await call({ path: PATH, data: { jobId, pageToken } }, { workspaceId });
        status = page.data;
        receipt.push(...(status.receipt ?? []));
        pageToken = page.pageToken;
      } while (pageToken !== undefined);
      downloadJson(`receipt ${jobId}`, { jobId, completedAt: status.lastTaskCompletedTime, receipt });
    },
  });
  return (
    <>
      {entries.length === 0 && <Text size="sm">No data was found.</Text>}
      {entries.length > 0 && (
        <Table.ScrollContainer minWidth={360}>
          <Table withRowBorders={false} verticalSpacing={4} className="numbers">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Organization</Table.Th>
                <Table.Th scope="col" className="words">
                  Kind
                </Table.Th>
                <Table.Th scope="col">Deleted</Table.Th>
                <Table.Th scope="col">Others' records changed</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.slice(0, MAX_ENTRIES).map(({ organizationId, kind, deleted, stripped }) => (
                <Table.Tr key={`${organizationId}\n${kind}`}>
                  <Table.Th scope="row">
                    <UntrustedText>{organizationId}</UntrustedText>
                  </Table.Th>
                  <Table.Td className="words">{kindLabel(kind)}</Table.Td>
                  <Table.Td>{formatCount(deleted)}</Table.Td>
                  <Table.Td>{formatCount(stripped)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {entries.length > MAX_ENTRIES && (
        <Text size="sm">Showing the first {MAX_ENTRIES} entries. Download the receipt to see all of them.</Text>
      )}
      {error && <ErrorMessage error={error} />}
      <PendingButton mt="sm" size="xs" variant="default" onClick={() => mutate()} loading={isPending}>
        Download receipt
      </PendingButton>
    </>
  );
}
