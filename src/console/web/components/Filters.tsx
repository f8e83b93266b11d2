import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Children, type ReactNode } from "react";
import { useUrlParameters } from "../url.ts";
import { SavedViews } from "./SavedViews.tsx";

interface FiltersProps {
  label?: string;
  /** URL parameters of the filters after the first. */
  hidden?: readonly string[];
  /** Whether they can be saved under a name. */
  hasViews?: boolean;
  children: ReactNode;
}

/** The filters of a list. On a narrow window, those after the first can be hidden, and are unless one is set. */
export function Filters({ label = "Filters", hidden = [], hasViews = false, children }: FiltersProps) {
  const { get } = useUrlParameters();
  const [isOpen, { toggle }] = useDisclosure(hidden.some((name) => get(name) !== undefined));
  const isLong = Children.toArray(children).length > 2;
  return (
    <search className="filters" aria-label={label} data-closed={isLong && !isOpen}>
      {children}
      {hasViews && <SavedViews />}
      {isLong && (
        <Button className="filters-toggle" variant="default" size="xs" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? "Fewer filters" : "More filters"}
        </Button>
      )}
    </search>
  );
}
