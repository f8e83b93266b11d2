import { Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useId, useRef } from "react";
import type { ApiResponse } from "../api/call.ts";
import type { CurlRequest } from "../api/curl.ts";
import { isLive, type News, SETTLE_MS } from "../api/news.ts";
import type { ApiQuery } from "../api/use-api.ts";
import { useNews } from "../api/use-news.ts";
import { EmptyPage } from "./EmptyPage.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { PanelMenu } from "./PanelMenu.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

interface PanelProps<Data> {
  title: string;
  apiQuery: ApiQuery<Data>;
  /** Replaces the children if `isEmpty` returns true for the first page. */
  empty?: ReactNode;
  isEmpty?: (data: Data) => boolean;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Is called with what has happened to a list since it was read. */
  onNews?: (news: News) => void;
  /** Whether to follow the changes of the list, which the API rejects for a disabled organization. */
  isFollowed?: boolean;
  /** Whether the page reports the error elsewhere. A panel without data is hidden then. */
  isErrorReported?: boolean;
  children: (data: Data, response: ApiResponse<Data>) => ReactNode;
}

/**
 * A section that shows the result of one request: loading, failed, empty, or its data. The data stays while it is read
 * again, even if that fails. If records of a list change meanwhile, it says how many and lets the user read
 * it again; an empty list, in which nobody can lose their place, shows them at once.
 */
export function Panel<Data>(props: PanelProps<Data>) {
  const { title, apiQuery, empty, isEmpty, actions, onNews, isFollowed = true, isErrorReported, children } = props;
  const { request, query, error } = apiQuery;
  const { data: response, isFetching, isPlaceholderData, refetch } = query;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const focused = useRef<Element>(null);
  const news = useNews(apiQuery, isFollowed);
  useEffect(() => onNews?.(news), [news, onNews]);
  const isBlank = response !== undefined && isEmpty?.(response.data) === true;
  const hasNews = news.count > 0 || news.isIncomplete;
  const showsNews = hasNews && (isBlank || isLive(request));
  const offersNews = hasNews && !showsNews;
  useEffect(() => {
    if (!showsNews) return;
    const timer = setTimeout(() => void refetch(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [showsNews, refetch]);
  useEffect(() => {
    // The control that had the focus disappears with its record.
    if (focused.current?.isConnected === false && document.activeElement === document.body) heading.current?.focus();
  });
  if (error && !response && isErrorReported) return null;
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-labelledby={id}
      aria-busy={isFetching}
      onFocus={({ target }) => {
        focused.current = target;
      }}
      onBlur={() => {
        focused.current = null;
      }}
    >
      <Group justify="space-between" mb="sm" gap="xs" className="panel-head" data-sticky={offersNews}>
        <Title order={2} size="h5" id={id} ref={heading} tabIndex={-1}>
          <UntrustedText>{title}</UntrustedText>
        </Title>
        <Group gap="xs">
          <Group gap="xs" role="status">
            {news.isPaused && (
              <Text size="xs" c="dimmed">
                Live updates paused
              </Text>
            )}
            {offersNews && <NewsButton news={news} onShow={() => void refetch()} />}
          </Group>
          {actions}
          <PanelMenu title={title} request={request} onRefresh={() => void refetch()} />
        </Group>
      </Group>
      <Stack gap="sm">
        {error && !isErrorReported && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {response && (
          <div className={isPlaceholderData ? "outdated" : undefined}>
            {isBlank && (isLaterPage(request) ? <EmptyPage /> : empty)}
            {!isBlank && children(response.data, response)}
          </div>
        )}
        {!response && !error && <Loading />}
      </Stack>
    </Paper>
  );
}

function isLaterPage({ data }: CurlRequest): boolean {
  return Object(data).pageToken !== undefined;
}

/** Says how many records of a list are new, or that some may be, and shows them. */
function NewsButton({ news: { count, isIncomplete }, onShow }: { news: News; onShow: () => void }) {
  const text = count > 0 ? `${count}${isIncomplete ? "+" : ""} new` : "May have changed · Refresh";
  return (
    <Button size="compact-xs" onClick={onShow} aria-label={count > 0 ? `Show ${text}` : undefined}>
      {text}
    </Button>
  );
}

/** Placeholder of content that is loading. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => `${100 - line * 12}%`).map((width) => (
        <Skeleton key={width} height={16} width={width} />
      ))}
    </Stack>
  );
}
