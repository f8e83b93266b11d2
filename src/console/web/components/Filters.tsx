import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Children, type ReactNode } from "react";
import { useUrlParameters } from "../url.ts";

/** URL parameters that are no filters behind the first one, or say what the page is about. */
const OTHERS = ["organization", "document", "user", "record", "view", "page", "sort", "tab", "folder"];

interface FiltersProps {
  label?: string;
  children: ReactNode;
}

/** The filters of a list. On a narrow window, those after the first can be hidden, and are unless one is set. */
export function Filters({ label = "Filters", children }: FiltersProps) {
  const { all } = useUrlParameters();
  const [isOpen, { toggle }] = useDisclosure(all.some((name) => !OTHERS.includes(name)));
  const isLong = Children.toArray(children).length > 2;
  return (
    <search className="filters" aria-label={label} data-closed={isLong && !isOpen}>
      {children}
      {isLong && (
        <Button className="filters-toggle" variant="default" size="xs" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? "Fewer filters" : "More filters"}
        </Button>
      )}
    </search>
  );
}
