import { RECORD_LIMITS } from "../../config/limits.ts";
import { limitError } from "../../contract/limit-error.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { EMPTY, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";
import { awaitsDocumentPurge, prepareOverwriting } from "../purge/overwriting-queries.ts";
import { batchedInOrganization } from "../tenancy/organization-batch.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, fromExistingDocuments } from "../tenancy/tenancy-queries.ts";

/** A state of a document, by the IDs in its organization. */
export interface LiveStateRef {
  documentId: string;
  liveStateDataId: string;
}

const WRITTEN = { writtenAt: "updated_at" };
const OVERWRITTEN = {
  name: "live_states",
  key: ["document_id", "live_state_id"],
  time: WRITTEN,
  purgedWith: ["document"],
} as const;

interface WriteCall extends LiveStateRef {
  /** The JSON text of the state. */
  record: string;
}

/**
 * Replaces the states of many calls with one statement. Returns whether it has: calls whose state or document is
 * missing, or whose document has an access block, write nothing. Writes rows in key order to avoid deadlocks.
 */
export const replaceLiveState = batchedInOrganization<WriteCall, boolean>({
  byteSize: ({ record }) => record.length,
  conflictKeys: (call) => [getName(call)],
  async run(scope, calls) {
    const given = sql`unnest(
        ${texts(calls.map(({ documentId }) => documentId))},
        ${texts(calls.map(({ liveStateDataId }) => liveStateDataId))},
        ${texts(calls.map(({ record }) => record))}
      ) as given (document_id, live_state_id, record)`;
    const written = await scope.run(
      sql<LiveStateRef>`insert into live_states (organization_key, document_id, live_state_id, record,
          record_bytes)
        select document.organization_key, document.document_id, given.live_state_id, given.record::json,
          octet_length(given.record)
        ${fromExistingDocuments(scope.key, given)}
          and exists (select from live_states existing where existing.organization_key = ${uuid(scope.key)}
            and existing.document_id = given.document_id and existing.live_state_id = given.live_state_id)
        order by document.document_id, given.live_state_id collate "C"
        on conflict (organization_key, document_id, live_state_id) do update set
          record = excluded.record, record_bytes = excluded.record_bytes, updated_at = excluded.updated_at
        returning document_id as "documentId", live_state_id as "liveStateDataId"`,
    );
    const names = new Set(written.map(getName));
    return calls.map((call) => names.has(getName(call)));
  },
});

/** Returns what distinguishes a state from the others of its organization. */
function getName({ documentId, liveStateDataId }: LiveStateRef): string {
  return JSON.stringify([documentId, liveStateDataId]);
}

function isOfDocument(scope: OrganizationScope, documentId: string): Sql {
  return sql`organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}`;
}

/**
 * Locks a state and returns its JSON text. A state that is missing, or deleted with its document, becomes empty. Throws
 * FAILED_PRECONDITION if the document, which exists, has no place for a further state.
 */
export async function lockLiveState(scope: InTransaction<OrganizationScope>, state: LiveStateRef): Promise<string> {
  await prepareOverwriting(scope, OVERWRITTEN, [[state.documentId, state.liveStateDataId]]);
  const existing = await selectLocked(scope, state);
  if (existing !== undefined) return existing;
  await rejectTooMany(scope, state);
  await scope.run(
    sql`insert into live_states (organization_key, document_id, live_state_id, record, record_bytes)
      values (${uuid(scope.key)}, ${text(state.documentId)}, ${text(state.liveStateDataId)}, '{}', 2)
      on conflict do nothing`,
  );
  return (await selectLocked(scope, state)) ?? "{}";
}

async function selectLocked(scope: InTransaction<OrganizationScope>, state: LiveStateRef): Promise<string | undefined> {
  const [row] = await scope.run(
    sql<{ record: string }>`select record::text as record from live_states
      where ${isOfDocument(scope, state.documentId)} and live_state_id = ${text(state.liveStateDataId)} for update`,
  );
  return row?.record;
}

/** Throws if the document has the maximum number of other states. Locks the document, so that concurrent calls wait. */
async function rejectTooMany(
  scope: InTransaction<OrganizationScope>,
  { documentId, liveStateDataId }: LiveStateRef,
): Promise<void> {
  await scope.run(sql`select from documents where ${isOfDocument(scope, documentId)} for no key update`);
  const [row] = await scope.run(
    sql<{ count: number }>`select count(*)::int as count from live_states
      where ${isOfDocument(scope, documentId)} and live_state_id <> ${text(liveStateDataId)}
        and not ${awaitsDocumentPurge(uuid(scope.key), "live_states", WRITTEN)}`,
  );
  if ((row?.count ?? 0) < RECORD_LIMITS.liveStates) return;
  throw limitError(
    "live_states",
    `The document has ${RECORD_LIMITS.liveStates} live states, the maximum. Broadcast under one of their IDs instead.`,
  );
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
