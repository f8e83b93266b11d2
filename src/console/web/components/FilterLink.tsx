import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";

interface FilterLinkProps {
  href: string;
  children: ReactNode;
}

/** A detail of a record that links to the list filtered by it. The arrow keys reach it from its row. */
export function FilterLink({ href, children }: FilterLinkProps) {
  return (
    <Anchor component={Link} href={href} inherit c="inherit" className="filter-link" tabIndex={-1}>
      {children}
    </Anchor>
  );
}
