import { Button, Group, Paper, Skeleton, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import type { ApiResponse } from "../api/call.ts";
import type { ApiQuery } from "../api/use-api.ts";
import { revealBidiControls } from "./bidi.ts";
import { CopyAsCurl } from "./CopyAsCurl.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

interface PanelProps<Data> {
  title: string;
  apiQuery: ApiQuery<Data>;
  /** Shown in place of the children where `isEmpty` says so. */
  empty?: ReactNode;
  isEmpty?: (data: Data) => boolean;
  /** Beside the title: what can be done here. */
  actions?: ReactNode;
  children: (data: Data, answer: ApiResponse<Data>) => ReactNode;
}

/**
 * One request of the API and what it answered: loading, failed, empty or there. What is there stays while it is read
 * again, also when that fails.
 */
export function Panel<Data>({ title, apiQuery, empty, isEmpty, actions, children }: PanelProps<Data>) {
  const { request, query } = apiQuery;
  const { data: answer, error, isFetching, isPlaceholderData, refetch } = query;
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} aria-busy={isFetching}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h5" id={id}>
          <UntrustedText>{title}</UntrustedText>
        </Title>
        <Group gap="xs">
          {actions}
          <CopyAsCurl request={request} />
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void refetch()}
            aria-label={revealBidiControls(`Refresh ${title}`)}
          >
            Refresh
          </Button>
        </Group>
      </Group>
      <Stack gap="sm">
        {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {answer && (
          <div className={isPlaceholderData ? "outdated" : undefined}>
            {isEmpty?.(answer.data) ? empty : children(answer.data, answer)}
          </div>
        )}
        {!answer && !error && <Loading />}
      </Stack>
    </Paper>
  );
}

/** In the place of what is being read. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => `${100 - line * 12}%`).map((width) => (
        <Skeleton key={width} height={16} width={width} />
      ))}
    </Stack>
  );
}
