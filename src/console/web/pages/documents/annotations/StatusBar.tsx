import { Badge, Button, Group } from "@mantine/core";
import { useRef, useState } from "react";
import type { RequestData } from "../../../api/call.ts";
import type { CommentAnnotation } from "../../../api/records.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { nameOrId } from "../../../components/display-text.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { itemError } from "../../../components/item-error.ts";
import { PendingButton } from "../../../components/PendingButton.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { AssignForm } from "./AssignForm.tsx";
import { AFFECTED_READS } from "./affected-reads.ts";

const PATH = "/v2/commentannotations/update";

/** The status of an annotation, with buttons that change it and the assignee. */
export function StatusBar({ annotation }: { annotation: CommentAnnotation }) {
  const { annotationId, status, assignedTo, metadata } = annotation;
  const { mutate, data, isPending, error } = useApiMutation(PATH, { affects: AFFECTED_READS });
  const [isAssigning, setIsAssigning] = useState(false);
  const assignButton = useRef<HTMLButtonElement>(null);
  const isResolved = status.type === "terminal";
  const { organizationId, documentId } = metadata;
  const message = data && itemError(data.data[annotationId]);
  const shownError = error ?? (message === undefined ? undefined : new Error(message));
  function update(updatedData: RequestData<typeof PATH>["updatedData"], onDone?: () => void): void {
    mutate(
      { organizationId, documentId, annotationIds: [annotationId], updatedData },
      {
        onSuccess: (response) => {
          if (itemError(response.data[annotationId]) === undefined) onDone?.();
        },
      },
    );
  }
  /** The control that changes the assignee disappears, so that the button which stays takes the focus. */
  function onAssigned(): void {
    setIsAssigning(false);
    assignButton.current?.focus();
  }
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Badge variant="default" tt="none">
          <UntrustedText>{nameOrId(status.name, status.id)}</UntrustedText>
        </Badge>
        <Group gap="xs">
          <Button
            ref={assignButton}
            size="compact-sm"
            variant="default"
            aria-expanded={isAssigning}
            onClick={() => setIsAssigning(!isAssigning)}
          >
            {assignedTo ? "Reassign…" : "Assign…"}
          </Button>
          {assignedTo && (
            <Button size="compact-sm" variant="default" onClick={() => update({ assignedTo: null }, onAssigned)}>
              Unassign
            </Button>
          )}
          <PendingButton
            size="compact-sm"
            variant="default"
            loading={isPending}
            onClick={() => update({ status: { type: isResolved ? "default" : "terminal" } })}
          >
            {isResolved ? "Reopen" : "Resolve"}
          </PendingButton>
        </Group>
      </Group>
      {isAssigning && (
        <AssignForm annotation={annotation} onAssign={(user) => update({ assignedTo: user }, onAssigned)} />
      )}
      {shownError && <ErrorMessage error={shownError} />}
    </>
  );
}
