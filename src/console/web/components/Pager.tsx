import { Button, Group } from "@mantine/core";
import { Link } from "wouter";
import { type PageParameter, useUrlParameters } from "../url.ts";

/** Previous page token by page token, for the pages that this visit has seen. A shared link has none. */
const previousTokens = new Map<string, string | undefined>();

interface PagerProps {
  /** Name of the list, for the accessible name of the navigation. */
  label: string;
  /** Token of the next page; undefined on the last page. */
  nextToken: string | undefined;
  /** URL parameter that holds the token of the current page. */
  name?: PageParameter;
}

/** Links to the other pages of a list. The page token is in the URL. */
export function Pager({ label, nextToken, name = "page" }: PagerProps) {
  const { get, link } = useUrlParameters();
  const current = get(name);
  if (!current && !nextToken) return null;
  // While a page loads, the panel still shows the previous one, whose next token is the current token.
  if (nextToken && nextToken !== current) previousTokens.set(nextToken, current);
  return (
    <Group gap="xs" mt="sm" component="nav" aria-label={`Pages of ${label}`}>
      {current && <PageButton href={link({ [name]: undefined })}>First page</PageButton>}
      {current && previousTokens.has(current) && (
        <PageButton href={link({ [name]: previousTokens.get(current) })}>Previous page</PageButton>
      )}
      {nextToken && <PageButton href={link({ [name]: nextToken })}>Next page</PageButton>}
    </Group>
  );
}

function PageButton({ href, children }: { href: string; children: string }) {
  return (
    <Button component={Link} href={href} size="compact-sm" variant="default" onClick={() => scrollTo({ top: 0 })}>
      {children}
    </Button>
  );
}
