import { Group, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import type { Workspace } from "../../api/workspace.ts";
import { Json } from "../../components/Code.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { SERVICE_URL } from "../../url.ts";

interface TryOperationProps {
  path: string;
  example: object;
  workspace: Workspace;
}

/** A form that calls an operation on the workspace with the session, and shows the response as it is. */
export function TryOperation({ path, example, workspace }: TryOperationProps) {
  const queryClient = useQueryClient();
  const [text, setText] = useState(() => JSON.stringify(example, null, 2));
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (request: unknown) => send(path, request, workspace.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [workspace.id] }),
  });
  const request = parsed(text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (request.error === undefined) mutate(request.value);
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
