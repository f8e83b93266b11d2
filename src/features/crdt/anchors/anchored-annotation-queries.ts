import { bigints, sql, text, texts, uuid } from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import { awaitsDocumentPurge } from "../../purge/overwriting-queries.ts";
import type { InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import type { StoredAnchor } from "./renew-anchors.ts";

/** Reads the anchors in collaborative documents of a document, in the order in which annotations are locked. */
export function selectAnchors(
  scope: StoredOrganization,
  { documentId, editorIds }: { documentId: string; editorIds: readonly string[] },
): Promise<StoredAnchor[]> {
  return scope.run(
    sql<StoredAnchor>`select sequence, anchor::text as fields
      from comment_annotations annotation
      where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}
        and anchor_editor_id = any(${texts([...editorIds])})
        and not ${awaitsDocumentPurge(uuid(scope.key), "annotation", { writtenAt: "written_at" })}
      order by created_at, sequence`,
  );
}

/** Locks annotations of a document in the order in which all writers do, to avoid deadlocks. */
export function lockAnchoredAnnotations(
  scope: InTransaction<StoredOrganization>,
  documentId: string,
  sequences: number[],
): Promise<{ id: string; sequence: number; record: string }[]> {
  return scope.run(
    sql<{ id: string; sequence: number; record: string }>`select id, sequence, record::text as record
      from comment_annotations
      where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}
        and sequence = any(${bigints(sequences)})
      order by created_at, sequence for update`,
  );
}

/** Replaces the records of locked annotations, of which only the anchors change. */
export async function replaceAnchoredRecords(
  scope: StoredOrganization,
  rows: readonly { sequence: number; record: string; fields: string }[],
): Promise<void> {
  await scope.run(
    sql`update comment_annotations annotation set updated_at = ${NOW_MS}, record = renewed.record::json,
        anchor = renewed.fields::json,
        record_bytes = record_bytes - octet_length(annotation.record::text) + octet_length(renewed.record)
      from unnest(${bigints(rows.map(({ sequence }) => sequence))}, ${texts(rows.map(({ record }) => record))},
          ${texts(rows.map(({ fields }) => fields))}) as renewed (sequence, record, fields)
      where annotation.organization_key = ${uuid(scope.key)} and annotation.sequence = renewed.sequence`,
  );
}
