import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type ApiResponse, call } from "../../api/call.ts";
import { useSessionCheck } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { downloadJson } from "../../components/download.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { formatCount, pluralize } from "../../components/numbers.ts";
import { exportUser, type Progress } from "./export-user.ts";

/** Hands over what is stored about a person in all organizations, as one file. */
export function ExportUser({ userId }: { userId: string }) {
  const { id: workspaceId } = useWorkspace();
  const checkSession = useSessionCheck();
  const [progress, setProgress] = useState<Progress>();
  const [running, setRunning] = useState<AbortController>();
  useEffect(() => () => running?.abort(), [running]);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async ({ signal }: AbortController) => {
      setProgress(undefined);
      function read<Data>(path: string, data: object): Promise<ApiResponse<Data>> {
        return call<Data>({ path, data }, { workspaceId, signal }).catch(checkSession);
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
          {progress && (isPending ? stepOf(progress) : summaryOf(progress))}
        </Text>
        {isPending ? (
          <Button variant="default" onClick={cancel}>
            Cancel the export
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

function stepOf({ completed, total }: Progress): string {
  return `${formatCount(completed)} of ${pluralize(total, "organization")}`;
}

function summaryOf({ organizations, records, refused }: Progress): string {
  const read = `${pluralize(records, "record")} from ${pluralize(organizations, "organization")}`;
  return refused > 0 ? `${read}; ${refused} refused, which the file names` : read;
}
