import { bigints, sql, uuid } from "../../../database/sql.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";

/**
 * Returns the numbers of annotations in their documents, by their sequences. New annotations have none before the
 * commit. Runs no statement without sequences.
 */
export async function selectAnnotationNumbers(
  scope: OrganizationScope,
  sequences: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (sequences.length === 0) return new Map();
  const rows = await scope.run(
    sql<{ sequence: number; number: number }>`select sequence, annotation_number as number from comment_annotations
      where organization_key = ${uuid(scope.key)} and sequence = any(${bigints([...sequences])})
        and annotation_number > 0`,
  );
  return new Map(rows.map(({ sequence, number }) => [sequence, number]));
}
