import { Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { revealBidiControls } from "./bidi.ts";
import { UntrustedText } from "./UntrustedText.tsx";

/** State of the visit: the first page leaves the focus where the browser puts it. */
const visit = { hasShownPage: false };

interface PageTitleProps {
  title: string;
  /** The tab that the page shows. Another one leaves the focus where it is. */
  tab?: string | undefined;
  /** Title of the browser's window, if the heading does not say what the page shows. */
  windowTitle?: string | undefined;
  /** The description. */
  children?: ReactNode;
}

/** The heading of a page with a description. It takes the focus after navigation, for keyboards and screen readers. */
export function PageTitle({ title, tab, windowTitle, children }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const text = tab === undefined ? title : `${title}: ${tab}`;
  const shown = windowTitle ?? text;
  useEffect(() => {
    document.title = `${revealBidiControls(shown)} · Colloquy`;
  }, [shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another title is another page.
  useEffect(() => {
    if (visit.hasShownPage) {
      heading.current?.focus({ preventScroll: true });
      scrollTo({ top: 0 });
    }
    visit.hasShownPage = true;
  }, [title]);
  return (
    <div className="page-title">
      <Title order={1} size="h3" ref={heading} tabIndex={-1} lineClamp={3}>
        <UntrustedText>{text}</UntrustedText>
      </Title>
      {children && (
        <Text size="sm" c="dimmed" maw="46rem">
          {children}
        </Text>
      )}
    </div>
  );
}
