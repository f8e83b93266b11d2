import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { EMPTY, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import { batched, type Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import { prepareOverwriting } from "../erasure/overwriting/queries.ts";
import {
  type AccessBlock,
  accessBlock,
  CREATED,
  type Created,
  type DocumentRef,
  ensureDocuments,
} from "../tenancy/queries.ts";

export interface LiveStateRef extends DocumentRef {
  documentId: string;
  liveStateDataId: string;
}

interface WriteCall extends LiveStateRef {
  /** The JSON text of the state. */
  record: string;
}

/**
 * Writes the states of many calls with one statement; a call with an access block writes nothing. Organizations and
 * documents are created with their first state; `created` has those of all calls of the statement. Writes rows in key
 * order to avoid deadlocks.
 */
export const writeLiveState = batched<WriteCall, { block: AccessBlock | null; created: Created }>({
  byteSize: ({ record }) => record.length,
  organizationKey: ({ organizationKey }) => organizationKey,
  *conflictKeys({ organizationKey, documentId, liveStateDataId }) {
    yield JSON.stringify([organizationKey, documentId, liveStateDataId]);
  },
  run: (database, _organizationKey, calls) =>
    database.run(
      sql<{ block: AccessBlock | null; created: Created }>`with ${ensureDocuments(calls, {
        live_state_id: texts(calls.map(({ liveStateDataId }) => liveStateDataId)),
        record: texts(calls.map(({ record }) => record)),
      })}, written as (
        insert into live_states (organization_key, document_id, live_state_id, record, record_bytes)
        select organization_key, document_id, live_state_id, record::json, octet_length(record)
        from call where block is null
        order by organization_key, document_id, live_state_id
        on conflict (organization_key, document_id, live_state_id) do update set
          record = excluded.record, record_bytes = excluded.record_bytes, updated_at = excluded.updated_at
      )
      select block, ${CREATED} as created from call order by number`,
    ),
});

type DocumentOfStates = Pick<LiveStateRef, "organizationKey" | "documentId">;

function isOfDocument({ organizationKey, documentId }: DocumentOfStates): Sql {
  return sql`organization_key = ${uuid(organizationKey)} and document_id = ${text(documentId)}`;
}

/** Locks a state and returns its JSON text. A state that is missing, or deleted with its document, becomes empty. */
export async function lockLiveState(transaction: Queryable, state: LiveStateRef): Promise<string> {
  const { organizationKey, documentId, liveStateDataId } = state;
  await prepareOverwriting(
    transaction,
    {
      name: "live_states",
      key: ["document_id", "live_state_id"],
      time: { writtenAt: "updated_at" },
      purgedWith: ["document"],
    },
    [{ organizationKey, key: [documentId, liveStateDataId] }],
  );
  const [row] = await transaction.run(
    sql<{ record: string }>`insert into live_states (organization_key, document_id, live_state_id, record, record_bytes)
      values (${uuid(organizationKey)}, ${text(documentId)}, ${text(liveStateDataId)}, '{}', 2)
      on conflict (organization_key, document_id, live_state_id) do update set record = live_states.record
      returning record::text as record`,
  );
  return row?.record ?? "{}";
}

/** Replaces a locked state. */
export async function replaceLockedState(transaction: Queryable, state: LiveStateRef, record: string): Promise<void> {
  await transaction.run(
    sql`update live_states set record = ${text(record)}::json, record_bytes = octet_length(${text(record)}),
        updated_at = ${NOW_MS}
      where ${isOfDocument(state)} and live_state_id = ${text(state.liveStateDataId)}`,
  );
}

/** Reads one page of the states of a document, by ID. */
export function selectLiveStatePage(
  database: Queryable,
  document: DocumentOfStates,
  liveStateDataIds: string[] | undefined,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const isAsked = liveStateDataIds ? sql`and live_state_id = any(${texts(liveStateDataIds)})` : EMPTY;
  return selectPageOfRecords(database, {
    source: sql`from live_states where ${isOfDocument(document)} ${isAsked}`,
    keys: ["live_state_id"],
    keyType: "text",
    order: "asc",
    extra: accessBlock(document.organizationKey, document.documentId),
    answered: {
      expression: sql`'{"liveStateDataId":' || to_json(live_state_id)::text || ',"data":' || record::text
        || ',"lastUpdated":' || updated_at || '}'`,
      columns: ["updated_at"],
    },
    ...page,
  });
}
