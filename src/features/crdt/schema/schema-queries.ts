import { bigint, EMPTY, json, sql, uuid } from "../../../database/sql.ts";
import type { StoredOrganization } from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../../tenancy/tenancy-queries.ts";
import type { CollaborativeDocumentRef } from "../collaborative-document-ref.ts";
import type { SharedType } from "../shared-type.ts";
import { isKept, matchesRef } from "../stored/crdt-update-queries.ts";
import type { EditorSchema } from "./editor-schema.ts";

/**
 * Records the schema of the editors of a collaborative document. With `onlyNewer`, keeps one of this or a newer version
 * that is recorded.
 */
export async function recordSchema(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  { schema, onlyNewer }: { schema: EditorSchema; onlyNewer: boolean },
): Promise<void> {
  const version = sql`(editor_schema ->> 'version')::bigint`;
  const isOlder = sql`and (editor_schema is null or ${version} < ${bigint(schema.version)})`;
  await scope.run(
    sql`update crdt_documents set editor_schema = ${json(JSON.stringify(schema))}
      where ${matchesRef(scope, document)} and ${isKept(uuid(scope.key))} ${onlyNewer ? isOlder : EMPTY}`,
  );
}

interface RecordedSchema {
  type: SharedType;
  contentKey: string;
  schema: EditorSchema | null;
}

/** Reads the recorded schema of a collaborative document; `found` is null if the document does not exist. */
export async function selectSchema(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
): Promise<{ block: AccessBlock | null; found: RecordedSchema | null }> {
  const [row] = await scope.run(
    sql<{ block: AccessBlock | null; found: RecordedSchema | null }>`select
      ${buildAccessBlock(scope.key, document.documentId)} as block,
      (select json_build_object('type', type, 'contentKey', content_key, 'schema', editor_schema)
       from crdt_documents where ${matchesRef(scope, document)} and ${isKept(uuid(scope.key))}) as found`,
  );
  return row ?? { block: null, found: null };
}
