import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useSessionCheck } from "../../api/use-answer.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { downloadJson } from "../../components/download.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { formatCount } from "../../components/numbers.ts";
import type { UserData } from "./StoredKinds.tsx";

interface ExportPersonProps {
  userId: string;
  organizationIds: string[];
}

/** Reads all pages of what is stored about a person, one after the other, and hands them over as one file. */
export function ExportPerson({ userId, organizationIds }: ExportPersonProps) {
  const { id: workspaceId } = useWorkspace();
  const checkSession = useSessionCheck();
  const [records, setRecords] = useState(0);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      setRecords(0);
      const organizations: { organizationId: string; data: UserData }[] = [];
      for (const organizationId of organizationIds) {
        const data: UserData = {};
        let pageToken: string | undefined;
        do {
          const request = { path: "/v2/users/data/get", data: { organizationId, userId, pageToken } };
          const page = await call<UserData>(request, { workspaceId }).catch(checkSession);
          for (const [kind, more] of Object.entries(page.data)) {
            data[kind] = [...(data[kind] ?? []), ...more];
            setRecords((count) => count + more.length);
          }
          pageToken = page.pageToken;
        } while (pageToken !== undefined);
        organizations.push({ organizationId, data });
      }
      downloadJson(`export ${userId}`, { userId, exportedAt: Date.now(), organizations });
    },
  });
  return (
    <>
      {error && <ErrorMessage error={error} />}
      <Group gap="xs">
        <Text size="sm" role="status">
          {isPending && `${formatCount(records)} records read …`}
        </Text>
        <Button variant="default" onClick={() => mutate()} loading={isPending} disabled={organizationIds.length === 0}>
          Export
        </Button>
      </Group>
    </>
  );
}
