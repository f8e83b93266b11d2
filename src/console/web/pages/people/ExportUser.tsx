import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type ApiResponse, call, type Path, type RequestData, type ResponseData } from "../../api/call.ts";
import { useSessionCheck } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { downloadJson } from "../../components/download.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { formatCount, pluralize } from "../../components/numbers.ts";
import { exportUser, type Progress } from "./export-user.ts";

/** Downloads a user's data in all organizations as one file. */
export function ExportUser({ userId }: { userId: string }) {
  const { id: workspaceId } = useWorkspace();
  const checkSession = useSessionCheck();
  const [progress, setProgress] = useState<Progress>();
  const [running, setRunning] = useState<AbortController>();
  useEffect(() => () => running?.abort(), [running]);
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    // The readers of other organizations end with the first one that fails.
    onError: (_, controller) => controller.abort(),
    mutationFn: async ({ signal }: AbortController) => {
      setProgress(undefined);
      function read<P extends Path>(path: P, data: RequestData<P>): Promise<ApiResponse<ResponseData<P>>> {
        return call({ path, data }, { workspaceId, signal }).catch(checkSession);
      }
      const organizations = await exportUser({
        userId,
        read,
        onProgress: setProgress,
      });
      downloadJson(`export ${userId}`, { userId, exportedAt: Date.now(), organizations });
    },
  });
  function start(): void {
    const controller = new AbortController();
    setRunning(controller);
    mutate(controller);
  }
  function cancel(): void {
    running?.abort();
    reset();
    setProgress(undefined);
  }
  return (
    <>
      {error && <ErrorMessage error={error} />}
      <Group gap="xs">
        <Text size="sm" role="status">
          {progress && isPending && exportStep(progress)}
          {progress && isSuccess && exportSummary(progress)}
        </Text>
        {isPending ? (
          <Button variant="default" onClick={cancel}>
            Cancel export
          </Button>
        ) : (
          <Button variant="default" onClick={start}>
            Export
          </Button>
        )}
      </Group>
    </>
  );
}

function exportStep({ completed, total }: Progress): string {
  return `Exporting: ${formatCount(completed)} of ${pluralize(total, "organization")}`;
}

function exportSummary({ organizations, records, unreadable }: Progress): string {
  const summary = `Exported ${pluralize(records, "record")} from ${pluralize(organizations, "organization")}`;
  return unreadable > 0
    ? `${summary}. ${pluralize(unreadable, "organization")} could not be read; the file lists the reason.`
    : summary;
}
