import { createElement, type ReactElement, type ReactNode } from "react";

/** How the heading of a component fits into the headings of the page. */
export interface HeadingProps {
  /** Text of the heading. */
  label?: string | undefined;
  /** Level of the heading, 2 by default. */
  headingLevel?: 1 | 2 | 3 | 4 | 5 | 6 | undefined;
}

interface OwnProps extends Pick<HeadingProps, "headingLevel"> {
  id?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** Shows a heading of a component. */
export function Heading({ headingLevel = 2, className = "colloquy-heading", id, children }: OwnProps): ReactElement {
  // The name of a day may be another one on a server.
  return createElement(`h${headingLevel}`, { id, className, suppressHydrationWarning: true }, children);
}
