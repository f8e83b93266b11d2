import { Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { revealBidiControls } from "./bidi.ts";
import { UntrustedText } from "./UntrustedText.tsx";

/** State of the visit: the first page leaves the focus where the browser puts it. */
const visit = { hasShownPage: false };

/** The heading of a page with a description. It takes the focus after navigation, for keyboards and screen readers. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${revealBidiControls(title)} · Colloquy`;
    if (visit.hasShownPage) {
      heading.current?.focus({ preventScroll: true });
      scrollTo({ top: 0 });
    }
    visit.hasShownPage = true;
  }, [title]);
  return (
    <div className="page-title">
      <Title order={1} size="h3" ref={heading} tabIndex={-1} lineClamp={3}>
        <UntrustedText>{title}</UntrustedText>
      </Title>
      {children && (
        <Text size="sm" c="dimmed" maw="46rem">
          {children}
        </Text>
      )}
    </div>
  );
}
