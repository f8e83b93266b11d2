import { sql, text, texts, uuid, uuids } from "../../database/sql.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";

/**
 * Locks the mails about annotations of a document whose records contain one of the texts, in key order to avoid
 * deadlocks.
 */
export function lockMailsAbout(
  scope: InTransaction<OrganizationScope>,
  documentId: string,
  { annotationIds, containing }: { annotationIds: string[]; containing: string[] },
): Promise<{ id: string; record: string }[]> {
  return scope.run(
    sql<{ id: string; record: string }>`select id, record::text as record from mails
      where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}
        and annotation_ids && ${texts(annotationIds)}
        and exists (select from unnest(${texts(containing)}) as part where strpos(record::text, part) > 0)
      order by id for update`,
  );
}

/** Replaces the JSON texts of locked mails. */
export async function replaceMailRecords(
  scope: InTransaction<OrganizationScope>,
  mails: { id: string; record: string }[],
): Promise<void> {
  await scope.run(
    sql`update mails set record = input.record::json
      from unnest(${uuids(mails.map(({ id }) => id))}, ${texts(mails.map(({ record }) => record))})
        as input (id, record)
      where mails.organization_key = ${uuid(scope.key)} and mails.id = input.id`,
  );
}
