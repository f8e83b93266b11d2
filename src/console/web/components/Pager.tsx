import { Button, Group } from "@mantine/core";
import { Link } from "wouter";
import { useUrlParameters } from "../url.ts";

/** The page token before each that this visit has gone past; a link that was shared has none. */
const before = new Map<string, string | undefined>();

interface PagerProps {
  /** Of the list, for who cannot see where the buttons stand. */
  label: string;
  /** Of the answer that is shown; undefined on the last page. */
  nextToken: string | undefined;
  /** The parameter of the address that holds the token of the page that is shown. */
  name?: string;
}

/** Ways to the other pages of a list. The page that is shown is in the address; change of a filter must clear it. */
export function Pager({ label, nextToken, name = "page" }: PagerProps) {
  const { get, link } = useUrlParameters();
  const current = get(name);
  if (!current && !nextToken) return null;
  // While the page that is named is being read, the answer is still that of the page before.
  if (nextToken && nextToken !== current) before.set(nextToken, current);
  return (
    <Group gap="xs" mt="sm" component="nav" aria-label={`Pages of ${label}`}>
      {current && <PageButton href={link({ [name]: undefined })}>First page</PageButton>}
      {current && before.has(current) && (
        <PageButton href={link({ [name]: before.get(current) })}>Previous page</PageButton>
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
