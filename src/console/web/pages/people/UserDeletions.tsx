import { Paper, Title } from "@mantine/core";
import { useId } from "react";
import type { Deletion } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { DeletionSummary } from "../deletions/DeletionSummary.tsx";

/** Number of deletions shown. The page Deletions lists all. */
const MAX_DELETIONS = 5;

/** Reads the newest deletions of a user's data; none while loading. */
export function useUserDeletions(userId: string): Deletion[] {
  return useApiQuery("/v2/users/data/deletions/get", { userId, pageSize: MAX_DELETIONS }).query.data?.data ?? [];
}

/** The deletions of a user's data, with their receipts. */
export function UserDeletions({ deletions }: { deletions: Deletion[] }) {
  const id = useId();
  if (deletions.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Title order={2} size="h5" id={id} mb="sm">
        Deleted data
      </Title>
      <ul className="rows">
        {deletions.map((deletion) => (
          <li key={deletion.jobId}>
            <DeletionSummary deletion={deletion} />
          </li>
        ))}
      </ul>
    </Paper>
  );
}
