import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { EMPTY, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";
import { prepareOverwriting } from "../purge/overwriting-queries.ts";
import { batchedInOrganization } from "../tenancy/organization-batch.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, fromExistingDocuments } from "../tenancy/tenancy-queries.ts";

/** A state of a document, by the IDs in its organization. */
export interface LiveStateRef {
  documentId: string;
  liveStateDataId: string;
}

interface WriteCall extends LiveStateRef {
  /** The JSON text of the state. */
  record: string;
}

/**
 * Writes the states of many calls with one statement. Returns whether it has: calls whose document is missing or has an
 * access block write nothing. Writes rows in key order to avoid deadlocks.
 */
export const writeLiveState = batchedInOrganization<WriteCall, boolean>({
  byteSize: ({ record }) => record.length,
  conflictKeys: ({ documentId, liveStateDataId }) => [JSON.stringify([documentId, liveStateDataId])],
  async run(scope, calls) {
    const given = sql`unnest(
        ${texts(calls.map(({ documentId }) => documentId))},
        ${texts(calls.map(({ liveStateDataId }) => liveStateDataId))},
        ${texts(calls.map(({ record }) => record))}
      ) as given (document_id, live_state_id, record)`;
    const written = await scope.run(
      sql<{ documentId: string }>`insert into live_states (organization_key, document_id, live_state_id, record,
          record_bytes)
        select document.organization_key, document.document_id, given.live_state_id, given.record::json,
          octet_length(given.record)
        ${fromExistingDocuments(scope.key, given)}
        order by document.document_id, given.live_state_id collate "C"
        on conflict (organization_key, document_id, live_state_id) do update set
          record = excluded.record, record_bytes = excluded.record_bytes, updated_at = excluded.updated_at
        returning document_id as "documentId"`,
    );
    const documentIds = new Set(written.map(({ documentId }) => documentId));
    return calls.map(({ documentId }) => documentIds.has(documentId));
  },
});

function isOfDocument(scope: OrganizationScope, documentId: string): Sql {
  return sql`organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}`;
}

/** Locks a state and returns its JSON text. A state that is missing, or deleted with its document, becomes empty. */
export async function lockLiveState(
  scope: OrganizationScope,
  { documentId, liveStateDataId }: LiveStateRef,
): Promise<string> {
  await prepareOverwriting(
    scope,
    {
      name: "live_states",
      key: ["document_id", "live_state_id"],
      time: { writtenAt: "updated_at" },
      purgedWith: ["document"],
    },
    [[documentId, liveStateDataId]],
  );
  const [row] = await scope.run(
    sql<{ record: string }>`insert into live_states (organization_key, document_id, live_state_id, record, record_bytes)
      values (${uuid(scope.key)}, ${text(documentId)}, ${text(liveStateDataId)}, '{}', 2)
      on conflict (organization_key, document_id, live_state_id) do update set record = live_states.record
      returning record::text as record`,
  );
  return row?.record ?? "{}";
}

/** Replaces a locked state. */
export async function replaceLockedState(scope: OrganizationScope, state: LiveStateRef, record: string): Promise<void> {
  await scope.run(
    sql`update live_states set record = ${text(record)}::json, record_bytes = octet_length(${text(record)}),
        updated_at = ${NOW_MS}
      where ${isOfDocument(scope, state.documentId)} and live_state_id = ${text(state.liveStateDataId)}`,
  );
}

/** Reads one page of the states of a document, by ID. */
export function selectLiveStatePage(
  scope: OrganizationScope,
  documentId: string,
  liveStateDataIds: string[] | undefined,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const isRequested = liveStateDataIds ? sql`and live_state_id = any(${texts(liveStateDataIds)})` : EMPTY;
  return selectPageOfRecords(scope, {
    source: sql`from live_states where ${isOfDocument(scope, documentId)} ${isRequested}`,
    keys: ["live_state_id"],
    keyType: "text",
    order: "asc",
    extra: buildAccessBlock(scope.key, documentId),
    serialized: {
      expression: sql`'{"liveStateDataId":' || to_json(live_state_id)::text || ',"data":' || record::text
        || ',"lastUpdated":' || updated_at || '}'`,
      columns: ["updated_at"],
    },
    ...page,
  });
}
