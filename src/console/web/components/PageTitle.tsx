import { Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { revealBidiControls } from "./bidi.ts";
import { UntrustedText } from "./UntrustedText.tsx";

/** False until a page has been shown: the first one leaves the focus where a browser puts it. */
const visits = { hasBegun: false };

/** The heading of a page, where the focus goes when one comes from another page; `children` says what the page is. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${revealBidiControls(title)} · Colloquy`;
    if (visits.hasBegun) {
      heading.current?.focus({ preventScroll: true });
      scrollTo({ top: 0 });
    }
    visits.hasBegun = true;
  }, [title]);
  return (
    <div className="page-title">
      <Title order={1} size="h3" ref={heading} tabIndex={-1}>
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
