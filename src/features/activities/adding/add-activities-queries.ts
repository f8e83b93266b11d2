import type { OrganizationKey } from "../../../database/keys.ts";
import { bigints, join, type Sql, sql, texts } from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import { EVENTS_TOPIC, writtenEvents } from "../../event-log/event-log-queries.ts";
import { prepareOverwritingOfCalls } from "../../purge/overwriting-queries.ts";
import { IMPORTABLE } from "../../purge/owned-tables.ts";
import { batchedInOrganization } from "../../tenancy/organization-batch.ts";
import type { StoredOrganization } from "../../tenancy/organization-scope.ts";
import { type AccessBlock, fromExistingDocuments } from "../../tenancy/tenancy-queries.ts";

export interface ActivityRow {
  id: string;
  /** Whether the id was generated for this row, so that no other call can write it. */
  isNew: boolean;
  targetEntityId: string | null;
  userId: string;
  featureType: string;
  actionType: string;
  /** Time that the caller set, in milliseconds since the epoch; null for the time of writing. */
  timestamp: number | null;
  /** The JSON text of the record as sent, with its id and metadata. */
  record: string;
}

export interface AddCall {
  documentId: string;
  rows: ActivityRow[];
}

const OVERWRITTEN = { name: "activities", key: ["id"], time: IMPORTABLE, purgedWith: ["document", "user"] } as const;

/** What batches of adds have in common. */
const BATCH = {
  byteSize: ({ rows }: AddCall) => rows.reduce((bytes, { record }) => bytes + record.length, 0),
  conflictKeys: ({ rows }: AddCall) => rows.flatMap(({ id, isNew }) => (isNew ? [] : [id])),
};

/** What became of an add. If it is not added and has no block, its document is missing or has one. */
interface AddResult {
  /** The block of the document of a row that would be overwritten. */
  block: AccessBlock | null;
  isAdded: boolean;
}

/**
 * Writes the rows of many calls in one batch, after it has purged those that they overwrite and that await a purge.
 * Calls whose document is missing or has an access block write nothing. An existing id keeps its timestamp and its
 * place in the feed. Writes rows in key order to avoid deadlocks.
 */
export const addActivityRows = batchedInOrganization<AddCall, AddResult>({
  ...BATCH,
  run: (scope, calls) =>
    overwriting(scope, calls, (accepted) =>
      scope.run(
        sql<DocumentRow>`with ${numberedRows(accepted)}, written as (
            ${insertActivities(scope.key, accepted)} returning document_id
          )
          select document_id as "documentId" from written`,
      ),
    ),
});

/**
 * Writes the rows as `addActivityRows` does, and the event log in the same statement. No transaction may run it before
 * its other locks: the position in the log stays locked until the commit.
 */
export const addActivityRowsAndEvents = batchedInOrganization<AddCall, AddResult>({
  ...BATCH,
  getTopic: (key) => EVENTS_TOPIC + key,
  run: (scope, calls) =>
    overwriting(scope, calls, (accepted) =>
      scope.run(
        sql<DocumentRow>`with ${numberedRows(accepted)}, written as (
            ${insertActivities(scope.key, accepted)} returning document_id, id, sequence
          ), ${writtenEvents(scope.key, "activity.add")}
          select document_id as "documentId" from written`,
      ),
    ),
});

/** The document of a row that was written. */
interface DocumentRow {
  documentId: string;
}

/**
 * Purges the rows that the calls overwrite and that await a purge, then writes the calls. Rejects calls that overwrite
 * a row of a disabled document. `write` returns the documents of the rows that it has written.
 */
async function overwriting(
  scope: StoredOrganization,
  calls: AddCall[],
  write: (accepted: AddCall[]) => Promise<DocumentRow[]>,
): Promise<AddResult[]> {
  const keys = calls.map(({ rows }) => rows.flatMap(({ id, isNew }) => (isNew ? [] : [[id]])));
  const blocks = await prepareOverwritingOfCalls(scope, OVERWRITTEN, keys);
  const accepted = calls.filter((_, index) => !blocks[index]);
  const written = accepted.length > 0 ? await write(accepted) : [];
  const documentIds = new Set(written.map(({ documentId }) => documentId));
  return calls.map(({ documentId }, index) => {
    const block = blocks[index] ?? null;
    return { block, isAdded: !block && documentIds.has(documentId) };
  });
}

/**
 * Returns the relation `numbered` of the rows of all calls, with their places in the feed and the time. Citus makes it
 * on the coordinator, since no shard can take numbers from a sequence, and sends it to the shard that inserts the rows.
 */
function numberedRows(calls: AddCall[]): Sql {
  return sql`numbered as materialized (
      select activity.*, nextval('activity_sequence') as sequence, ${NOW_MS} as now_ms
      from unnest(${buildColumns(calls)}) as activity
        (document_id, id, target_entity_id, user_id, feature_type, action_type, given_at, record)
    )`;
}

/**
 * Returns the insert of the rows in the relation `numbered` whose documents exist and have no access block. It names
 * the documents: Citus expects 1,000 rows of `numbered`, and would read all documents of the organization to join them.
 */
function insertActivities(organizationKey: OrganizationKey, calls: AddCall[]): Sql {
  const documentIds = [...new Set(calls.map(({ documentId }) => documentId))];
  return sql`insert into activities (organization_key, document_id, id, target_entity_id, user_id, feature_type,
      action_type, created_at, written_at, sequence, record, record_bytes)
    select document.organization_key, document.document_id, id, target_entity_id, user_id, feature_type, action_type,
      least(given_at, now_ms), case when given_at < now_ms then now_ms end, sequence, given.record::json,
      octet_length(given.record)
    ${fromExistingDocuments(organizationKey, sql`numbered as given`)}
      and document.document_id = any(${texts(documentIds)})
    order by id collate "C"
    on conflict (organization_key, id) do update set
      document_id = excluded.document_id, target_entity_id = excluded.target_entity_id,
      user_id = excluded.user_id, feature_type = excluded.feature_type, action_type = excluded.action_type,
      record = excluded.record, record_bytes = excluded.record_bytes`;
}

/** Returns the lists of the values of all rows. */
function buildColumns(calls: AddCall[]): Sql {
  const rows = calls.flatMap((call) => call.rows);
  const columns = [
    texts(calls.flatMap((call) => call.rows.map(() => call.documentId))),
    texts(rows.map(({ id }) => id)),
    texts(rows.map(({ targetEntityId }) => targetEntityId)),
    texts(rows.map(({ userId }) => userId)),
    texts(rows.map(({ featureType }) => featureType)),
    texts(rows.map(({ actionType }) => actionType)),
    bigints(rows.map(({ timestamp }) => timestamp)),
    texts(rows.map(({ record }) => record)),
  ];
  return join(columns, ", ");
}
