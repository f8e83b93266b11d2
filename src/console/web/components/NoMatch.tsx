import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useUrlParameters } from "../url.ts";
import { EmptyState } from "./EmptyState.tsx";

interface NoMatchProps {
  /** URL parameters of the filters. */
  filters: readonly string[];
  children: ReactNode;
}

/** Replaces a list from which the filters exclude everything, and clears them. */
export function NoMatch({ filters, children }: NoMatchProps) {
  const { change } = useUrlParameters();
  const cleared = Object.fromEntries(filters.map((name) => [name, undefined]));
  return (
    <>
      <EmptyState>{children}</EmptyState>
      <Button size="compact-sm" variant="default" onClick={() => change(cleared)}>
        Clear filters
      </Button>
    </>
  );
}
