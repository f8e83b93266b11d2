import { Button, Group } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { CommentAnnotation } from "../../../api/records.ts";
import { UserField, useKnownUsers } from "./UserField.tsx";

interface AssignFormProps {
  annotation: CommentAnnotation;
  onAssign: (user: { userId: string; name?: string; email?: string }) => void;
}

/** A form that chooses the user to whom an annotation is assigned. */
export function AssignForm({ annotation, onAssign }: AssignFormProps) {
  const [userId, setUserId] = useState("");
  const users = useKnownUsers(annotation);
  const assignee = userId.trim();
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (assignee !== "") onAssign(users.get(assignee) ?? { userId: assignee });
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <div className="wide">
          <UserField label="Assign to" users={users} value={userId} error={undefined} onChange={setUserId} />
        </div>
        <Button type="submit" disabled={assignee === ""}>
          Assign
        </Button>
      </Group>
    </form>
  );
}
