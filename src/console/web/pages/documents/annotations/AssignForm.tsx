import { Group } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { CommentAnnotation } from "../../../api/records.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { PendingButton } from "../../../components/PendingButton.tsx";
import { type KnownUser, UserField, useKnownUsers, useUserLookUp } from "../../../components/UserField.tsx";
import { getParticipants } from "./participants.ts";

interface AssignFormProps {
  annotation: CommentAnnotation;
  onAssign: (user: KnownUser) => void;
}

/** A form that chooses the user to whom an annotation is assigned. */
export function AssignForm({ annotation, onAssign }: AssignFormProps) {
  const [userId, setUserId] = useState("");
  const { organizationId } = annotation.metadata;
  const users = useKnownUsers(organizationId, userId, getParticipants(annotation));
  const { lookUp, isPending, error, getWarning } = useUserLookUp(organizationId, users);
  const assignee = userId.trim();
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (assignee === "" || isPending) return;
    const user = await lookUp(assignee).catch(() => undefined);
    if (user) onAssign(user);
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <div className="wide">
          <UserField label="Assign to" users={users} value={userId} error={getWarning(assignee)} onChange={setUserId} />
        </div>
        <PendingButton type="submit" loading={isPending} disabled={assignee === ""}>
          Assign
        </PendingButton>
      </Group>
      {error && <ErrorMessage error={error} />}
    </form>
  );
}
