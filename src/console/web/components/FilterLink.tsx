import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { revealBidiControls } from "./bidi.ts";

interface FilterLinkProps {
  href: string;
  /** Accessible name of a link without text. */
  label?: string | undefined;
  children: ReactNode;
}

/** A detail of a record that links to the list filtered by it. The arrow keys reach it from its row. */
export function FilterLink({ href, label, children }: FilterLinkProps) {
  const name = label && revealBidiControls(label);
  return (
    <Anchor component={Link} href={href} inherit c="inherit" className="filter-link" tabIndex={-1} aria-label={name}>
      {children}
    </Anchor>
  );
}
