import { bigints, identifier, sql, uuid } from "../../../../database/sql.ts";
import { NOW_MS } from "../../../../database/time.ts";
import type { StoredOrganization } from "../../../tenancy/organization-scope.ts";

const PARTS = ["comments", "comment_users", "comment_reactions", "comment_reads"];

/**
 * Deletes locked annotations and everything that belongs to them, in one statement for each table. Those that are not
 * public or have an access context leave tombstones.
 */
export async function deleteAnnotations(scope: StoredOrganization, sequences: number[]): Promise<void> {
  const [key, list] = [uuid(scope.key), bigints(sequences)];
  await scope.run(
    sql`insert into private_annotation_tombstones as tombstone
        (organization_key, id, document_id, deleted_at, is_private)
      select organization_key, id, document_id, ${NOW_MS}, viewers is not null from comment_annotations
      where organization_key = ${key} and sequence = any(${list})
        and (viewers is not null or access_fields is not null)
      order by id
      on conflict (organization_key, id) do update
        set document_id = excluded.document_id, deleted_at = excluded.deleted_at,
          is_private = tombstone.is_private or excluded.is_private`,
  );
  for (const table of PARTS) {
    await scope.run(
      sql`delete from ${identifier(table)} where organization_key = ${key} and annotation_sequence = any(${list})`,
    );
  }
  await scope.run(sql`delete from comment_annotations where organization_key = ${key} and sequence = any(${list})`);
}
