import { NavLink, Text } from "@mantine/core";
import { useMemo } from "react";
import { Link } from "wouter";
import { pluralize } from "../../components/numbers.ts";
import { useUrlParameters } from "../../url.ts";
import { type OpenApi, searchOperations } from "./reference.ts";

/** The operations that match the search, grouped by tag. */
export function OperationList({ openApi, query }: { openApi: OpenApi; query: string }) {
  const { get, link } = useUrlParameters();
  const byTag = useMemo(() => searchOperations(openApi, query), [openApi, query]);
  const found = [...byTag.values()].reduce((sum, list) => sum + list.length, 0);
  return (
    <nav aria-label="Operations">
      <Text size="xs" c="dimmed" role="status" my={4}>
        {found === 0 ? "No operation matches this search." : pluralize(found, "operation")}
      </Text>
      {[...byTag].map(([tag, operations]) => (
        <div key={tag}>
          <Text size="sm" fw={600} mt="xs" component="h2">
            {tag}
          </Text>
          {operations.map(({ path, summary }) => (
            <NavLink
              key={path}
              component={Link}
              href={link({ operation: path })}
              label={summary}
              description={path}
              py={4}
              active={path === get("operation")}
              aria-current={path === get("operation") ? "page" : undefined}
            />
          ))}
        </div>
      ))}
    </nav>
  );
}
