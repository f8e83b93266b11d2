import { bigints, join, type Sql, sql, texts, uuid } from "../../../database/sql.ts";
import { type BatchedStatement, batched, type Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { prepareOverwritingOfCalls } from "../../erasure/overwriting-queries.ts";
import { IMPORTABLE } from "../../erasure/owned-tables.ts";
import { EVENTS_TOPIC, writtenEvents } from "../../event-log/event-log-queries.ts";
import { type AccessBlock, type DocumentRef, fromExistingDocuments } from "../../tenancy/tenancy-queries.ts";

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

export interface AddCall extends DocumentRef {
  documentId: string;
  rows: ActivityRow[];
}

const OVERWRITTEN = { name: "activities", key: ["id"], time: IMPORTABLE, purgedWith: ["document", "user"] } as const;

/** What batches of adds have in common. */
const BATCH: Pick<BatchedStatement<AddCall, unknown>, "byteSize" | "organizationKey" | "conflictKeys"> = {
  byteSize: ({ rows }) => rows.reduce((bytes, { record }) => bytes + record.length, 0),
  organizationKey: ({ organizationKey }) => organizationKey,
  *conflictKeys({ organizationKey, rows }) {
    for (const { id, isNew } of rows) if (!isNew) yield `${organizationKey}${id}`;
  },
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
export const addActivityRows = batched<AddCall, AddResult>({
  ...BATCH,
  run: (database, organizationKey, calls) =>
    overwriting(database, organizationKey, calls, (accepted) =>
      database.run(
        sql<DocumentRow>`with ${writableDocuments(organizationKey, accepted)}, written as (
            ${insertActivities(organizationKey, accepted)}
          )
          select document_id as "documentId" from document`,
      ),
    ),
});

/**
 * Writes the rows as `addActivityRows` does, and the event log in the same statement. No transaction may run it before
 * its other locks: the position in the log stays locked until the commit.
 */
export const addActivityRowsAndEvents = batched<AddCall, AddResult>({
  ...BATCH,
  *topicsOf({ organizationKey }) {
    yield EVENTS_TOPIC + organizationKey;
  },
  run: (database, organizationKey, calls) =>
    overwriting(database, organizationKey, calls, (accepted) =>
      database.run(
        sql<DocumentRow>`with ${writableDocuments(organizationKey, accepted)}, written as (
            ${insertActivities(organizationKey, accepted)}
            returning organization_key, document_id, id, sequence
          ), ${writtenEvents("activity.add")}
          select document_id as "documentId" from document`,
      ),
    ),
});

interface DocumentRow {
  documentId: string;
}

/**
 * Purges the rows that the calls overwrite and that await a purge, then writes the calls. Refuses calls that overwrite
 * a row of a disabled document. `write` returns the documents that it could write to.
 */
async function overwriting(
  database: Queryable,
  organizationKey: string,
  calls: AddCall[],
  write: (accepted: AddCall[]) => Promise<DocumentRow[]>,
): Promise<AddResult[]> {
  const keys = calls.map(({ rows }) => rows.flatMap(({ id, isNew }) => (isNew ? [] : [[id]])));
  const blocks = await prepareOverwritingOfCalls(database, OVERWRITTEN, organizationKey, keys);
  const accepted = calls.filter((_, index) => !blocks[index]);
  const written = accepted.length > 0 ? await write(accepted) : [];
  const documentIds = new Set(written.map(({ documentId }) => documentId));
  return calls.map(({ documentId }, index) => {
    const block = blocks[index] ?? null;
    return { block, isAdded: !block && documentIds.has(documentId) };
  });
}

/**
 * Returns the relation `document` of the documents of the calls that exist and have no access block. Citus reads it
 * first: no shard can execute an insert that takes numbers from a sequence.
 */
function writableDocuments(organizationKey: string, calls: AddCall[]): Sql {
  const given = sql`unnest(${texts([...new Set(calls.map(({ documentId }) => documentId))])}) as given (document_id)`;
  return sql`document as materialized (
      select document.document_id ${fromExistingDocuments(organizationKey, given)}
    )`;
}

/** Returns the insert of the rows of all calls in the relation `document`. */
function insertActivities(organizationKey: string, calls: AddCall[]): Sql {
  return sql`insert into activities (organization_key, document_id, id, target_entity_id, user_id, feature_type,
      action_type, created_at, written_at, sequence, record, record_bytes)
    select ${uuid(organizationKey)}, document_id, id, target_entity_id, user_id, feature_type, action_type,
      least(given_at, now_ms), case when given_at < now_ms then now_ms end, sequence, record::json,
      octet_length(record)
    from (
      select activity.*, nextval('activity_sequence') as sequence, ${NOW_MS} as now_ms
      from unnest(${columnsOf(calls)}) with ordinality as activity
        (document_id, id, target_entity_id, user_id, feature_type, action_type, given_at, record, place)
      join document using (document_id)
      order by place
    ) as in_order
    order by id collate "C"
    on conflict (organization_key, id) do update set
      document_id = excluded.document_id, target_entity_id = excluded.target_entity_id,
      user_id = excluded.user_id, feature_type = excluded.feature_type, action_type = excluded.action_type,
      record = excluded.record, record_bytes = excluded.record_bytes`;
}

/** Returns the lists of the values of all rows. */
function columnsOf(calls: AddCall[]): Sql {
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
