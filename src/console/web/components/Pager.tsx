import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { Link } from "wouter";
import { type PageParameter, useUrlParameters } from "../url.ts";
import { formatCount } from "./numbers.ts";
import { PAGE_SIZES, usePageSize } from "./page-size.ts";

interface EarlierPage {
  token: string | undefined;
  /** Number of rows up to the end of that page, if it is known. */
  end: number | undefined;
}

/** The page before each page token, for the pages that this visit has seen. A shared link has none. */
const earlierPages = new Map<string, EarlierPage>();

interface PagerProps {
  /** Name of the list, for the accessible name of the navigation. */
  label: string;
  /** Token of the next page; undefined on the last page. */
  nextToken: string | undefined;
  /** URL parameter that holds the token of the current page. */
  name?: PageParameter;
  /** Numbers of rows on the page and in all, if the API counts them. */
  counts?: { shown: number; total: number };
  /** Whether the list has as many rows as `usePageSize` returns, which can be chosen. */
  hasSizes?: boolean;
}

/** Links to the other pages of a list. The page token is in the URL. */
export function Pager({ label, nextToken, name = "page", counts, hasSizes = false }: PagerProps) {
  const { get, link } = useUrlParameters();
  const current = get(name);
  const isSized = hasSizes && get("rows") !== undefined;
  if (!current && !nextToken && !isSized) return null;
  // While a page loads, the panel still shows the previous one, whose next token is the current token.
  const earlier = current === undefined ? { token: undefined, end: 0 } : earlierPages.get(current);
  const end = counts && earlier?.end !== undefined ? earlier.end + counts.shown : undefined;
  if (nextToken && nextToken !== current) earlierPages.set(nextToken, { token: current, end });
  return (
    <Group gap="xs" mt="sm" component="nav" aria-label={`Pages of ${label}`}>
      {current && <PageButton href={link({ [name]: undefined })}>First page</PageButton>}
      {current && earlier && <PageButton href={link({ [name]: earlier.token })}>Previous page</PageButton>}
      {nextToken && <PageButton href={link({ [name]: nextToken })}>Next page</PageButton>}
      {counts && (
        <Text size="sm" c="dimmed">
          {end === undefined
            ? `${formatCount(counts.shown)} of ${formatCount(counts.total)}`
            : `${formatCount(end - counts.shown + 1)}–${formatCount(end)} of ${formatCount(counts.total)}`}
        </Text>
      )}
      {hasSizes && <SizeSelect />}
    </Group>
  );
}

function SizeSelect() {
  const { change } = useUrlParameters();
  return (
    <NativeSelect
      size="xs"
      ml="auto"
      aria-label="Rows per page"
      value={String(usePageSize())}
      data={PAGE_SIZES.map((size) => ({ value: size, label: `${size} rows` }))}
      onChange={({ currentTarget: { value } }) => change({ rows: value })}
    />
  );
}

function PageButton({ href, children }: { href: string; children: string }) {
  return (
    <Button component={Link} href={href} size="compact-sm" variant="default" onClick={() => scrollTo({ top: 0 })}>
      {children}
    </Button>
  );
}
