import { Button, Group } from "@mantine/core";
import { Link } from "wouter";
import { useParameters } from "../address.ts";

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
  const { get, link } = useParameters();
  const current = get(name);
  if (!current && !nextToken) return null;
  if (nextToken) before.set(nextToken, current);
  const toBegin = () => scrollTo({ top: 0 });
  return (
    <Group gap="xs" mt="sm" component="nav" aria-label={`Pages of ${label}`}>
      {current && (
        <Button
          component={Link}
          href={link({ [name]: undefined })}
          size="compact-sm"
          variant="default"
          onClick={toBegin}
        >
          First page
        </Button>
      )}
      {current && before.has(current) && (
        <Button
          component={Link}
          href={link({ [name]: before.get(current) })}
          size="compact-sm"
          variant="default"
          onClick={toBegin}
        >
          Previous page
        </Button>
      )}
      {nextToken && (
        <Button
          component={Link}
          href={link({ [name]: nextToken })}
          size="compact-sm"
          variant="default"
          onClick={toBegin}
        >
          Next page
        </Button>
      )}
    </Group>
  );
}
