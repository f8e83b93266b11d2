import { Group, Text, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import type { Workspace } from "../../api/workspace.ts";
import { Json } from "../../components/Code.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { SERVICE_URL } from "../../url.ts";
import { getDeletedIds } from "./deleted-ids.ts";

interface TryOperationProps {
  path: string;
  example: object;
  /** Fields that name what the operation deletes; undefined if it deletes nothing. */
  deletes: readonly string[] | undefined;
  workspace: Workspace;
}

/**
 * A form that calls an operation on the workspace with the session, and shows the response as it is. One that deletes
 * is sent after the ID of what it deletes was typed.
 */
export function TryOperation({ path, example, deletes, workspace }: TryOperationProps) {
  const queryClient = useQueryClient();
  const [isConfirming, { open, close }] = useDisclosure();
  const [text, setText] = useState(() => JSON.stringify(example, null, 2));
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (request: unknown) => send(path, request, workspace.id),
    onSettled: close,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [workspace.id] }),
  });
  const request = parsed(text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (request.error !== undefined) return;
        if (deletes) open();
        else mutate(request.value);
      }}
    >
      <Textarea
        label="Data"
        autosize
        minRows={3}
        maxRows={16}
        spellCheck={false}
        classNames={{ input: "code-input" }}
        value={text}
        error={request.error}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group my="sm">
        <PendingButton type="submit" size="xs" loading={isPending} disabled={request.error !== undefined}>
          Send
        </PendingButton>
        <Text size="xs" c="dimmed">
          Reads or changes the data of <UntrustedText>{workspace.name}</UntrustedText> as you.
        </Text>
      </Group>
      {deletes && (
        <Confirmation
          ids={getDeletedIds(request.value, deletes)}
          workspace={workspace}
          isOpen={isConfirming}
          isRunning={isPending}
          onConfirm={() => mutate(request.value)}
          onClose={close}
        />
      )}
      {error && <ErrorMessage error={error} />}
      {data && (
        <>
          <Text size="sm" fw={600} role="status">
            HTTP {data.httpStatus} after {data.durationMs} ms
          </Text>
          <Json label="Response" value={data.body} />
        </>
      )}
    </form>
  );
}

interface ConfirmationProps {
  ids: string[];
  workspace: Workspace;
  isOpen: boolean;
  isRunning: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

function Confirmation({ ids, workspace, ...dialog }: ConfirmationProps) {
  const [first = "delete"] = ids;
  return (
    <ConfirmDialog
      title="Send a request that deletes?"
      action="Send"
      typed={ids.length > 1 ? `${first} and ${ids.length - 1} more` : first}
      error={null}
      {...dialog}
    >
      <Text size="sm">
        This changes the data of <UntrustedText>{workspace.name}</UntrustedText>. It may not be possible to undo it.
      </Text>
    </ConfirmDialog>
  );
}

function parsed(text: string): { value?: unknown; error?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: `This is not valid JSON. ${error instanceof Error ? error.message : ""}` };
  }
}

async function send(path: string, data: unknown, workspaceId: string) {
  const startedAt = performance.now();
  const response = await fetch(`${SERVICE_URL}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-colloquy-workspace": workspaceId },
    body: JSON.stringify({ data }),
  }).catch(() => {
    throw new ApiError("OFFLINE", "The service does not respond.");
  });
  const body: unknown = await response.json();
  return { httpStatus: response.status, body, durationMs: Math.round(performance.now() - startedAt) };
}
