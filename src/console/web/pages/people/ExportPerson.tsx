import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/call.ts";
import { useSessionCheck } from "../../api/use-answer.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { downloadJson } from "../../components/download.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { counted } from "../../components/numbers.ts";
import { exportPerson, type Progress } from "./export.ts";

/** Hands over what is stored about a person in all organizations, as one file. */
export function ExportPerson({ userId }: { userId: string }) {
  const { id: workspaceId } = useWorkspace();
  const checkSession = useSessionCheck();
  const [progress, setProgress] = useState<Progress>();
  function read<Data>(path: string, data: object): Promise<Answer<Data>> {
    return call<Data>({ path, data }, { workspaceId }).catch(checkSession);
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      setProgress(undefined);
      const organizations = await exportPerson({
        userId,
        read,
        onProgress: setProgress,
      });
      downloadJson(`export ${userId}`, { userId, exportedAt: Date.now(), organizations });
    },
  });
  return (
    <>
      {error && <ErrorMessage error={error} />}
      <Group gap="xs">
        <Text size="sm" role="status">
          {progress && summaryOf(progress)}
        </Text>
        <Button variant="default" onClick={() => mutate()} loading={isPending}>
          Export
        </Button>
      </Group>
    </>
  );
}

function summaryOf({ organizations, records, refused }: Progress): string {
  const read = `${counted(records, "record")} from ${counted(organizations, "organization")}`;
  return refused > 0 ? `${read}; ${refused} refused, which the file names` : read;
}
