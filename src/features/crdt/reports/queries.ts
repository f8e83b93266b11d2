import { bigint, integer, type Sql, sql, texts, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { writeEvents } from "../../event-log/queries.ts";

interface NotedEditor {
  organizationKey: string;
  documentId: string;
  editorId: string;
}

/**
 * Returns the statement that notes the editors of the rows `changed` of a FROM and WHERE, unless they are noted
 * already. Writes rows in key order to avoid deadlocks.
 */
export function noteChanged(fromWhere: Sql): Sql {
  return sql`insert into crdt_unreported (organization_key, document_id, editor_id)
    select changed.organization_key, changed.document_id, changed.editor_id ${fromWhere}
    order by changed.organization_key, changed.document_id, changed.editor_id
    on conflict (organization_key, document_id, editor_id) do nothing`;
}

/** Returns the editors that were noted at least `ageMs` ago, oldest first. */
export function selectUnreported(database: Queryable, ageMs: number, limit: number): Promise<NotedEditor[]> {
  return database.run(
    sql<NotedEditor>`select replace(organization_key::text, '-', '') as "organizationKey",
        document_id as "documentId", editor_id as "editorId"
      from crdt_unreported where since <= ${NOW_MS} - ${bigint(ageMs)} order by since limit ${integer(limit)}`,
  );
}

/**
 * Writes the events of noted editors of an organization. Waits for the changes in progress, and lets no other begin:
 * each is either before the event, or noted again.
 */
export async function reportEditors(
  transaction: Queryable,
  organizationKey: string,
  editors: readonly Omit<NotedEditor, "organizationKey">[],
): Promise<void> {
  const documentIds = texts(editors.map(({ documentId }) => documentId));
  const editorIds = texts(editors.map(({ editorId }) => editorId));
  const isGiven = sql`organization_key = ${uuid(organizationKey)}
    and (document_id, editor_id) in (select * from unnest(${documentIds}, ${editorIds}))`;
  const locked = await transaction.run(
    sql<{ documentId: string; editorId: string }>`select document_id as "documentId", editor_id as "editorId"
      from crdt_editors
      where ${isGiven} and exists (
        select from organizations where organization_key = ${uuid(organizationKey)} and deleted_at is null)
      order by document_id, editor_id for update of crdt_editors`,
  );
  const noted = await transaction.run(
    sql<{ documentId: string; editorId: string }>`delete from crdt_unreported where ${isGiven}
      returning document_id as "documentId", editor_id as "editorId"`,
  );
  const keyOf = (editor: { documentId: string; editorId: string }) =>
    JSON.stringify([editor.documentId, editor.editorId]);
  const existing = new Set(locked.map(keyOf));
  await transaction.run(
    writeEvents(
      noted
        .filter((editor) => existing.has(keyOf(editor)))
        .map(({ documentId, editorId }) => ({
          ...{ organizationKey, documentId },
          kind: "crdt.update_data" as const,
          subject: { editorId },
        })),
    ),
  );
}
