import { Table, UnstyledButton } from "@mantine/core";
import { useUrlParameters } from "../url.ts";

type Order = "asc" | "desc";

/** Returns the order of a table in the URL parameter `sort`: a name of a column, descending if it begins with `-`. */
export function useSort<Name extends string>(names: readonly Name[], initial: Name): { orderBy: Name; order: Order } {
  const given = useUrlParameters().get("sort") ?? "";
  const orderBy = names.find((name) => name === given.replace(/^-/, "")) ?? initial;
  return { orderBy, order: given.startsWith("-") ? "desc" : "asc" };
}

interface SortableHeaderProps {
  label: string;
  name: string;
  /** What the table is ordered by. */
  sort: { orderBy: string; order: Order };
  /** Order after the first click. */
  first?: Order;
  className?: string;
}

/** The header of a column. A click orders the table by it, a second click the other way around. */
export function SortableHeader({ label, name, sort, first = "asc", className }: SortableHeaderProps) {
  const { change } = useUrlParameters();
  const current = sort.orderBy === name ? sort.order : undefined;
  const opposite: Order = current === "asc" ? "desc" : "asc";
  const next = current === undefined ? first : opposite;
  return (
    <Table.Th
      scope="col"
      className={className}
      aria-sort={current === undefined ? "none" : current === "asc" ? "ascending" : "descending"}
    >
      <UnstyledButton
        className="sort"
        data-order={current}
        onClick={() => change({ sort: next === "desc" ? `-${name}` : name })}
      >
        {label}
      </UnstyledButton>
    </Table.Th>
  );
}
