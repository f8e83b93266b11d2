import type { DelegatedFunction } from "../../../database/distribution.ts";
import {
  bigint,
  bigints,
  EMPTY,
  identifier,
  integer,
  integers,
  join,
  type Parameter,
  type Sql,
  sql,
  texts,
  unprepared,
  uuid,
} from "../../../database/sql.ts";
import { type BatchedStatement, batched, type Queryable, resultAt } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { prepareOverwritingOfCalls } from "../../erasure/overwriting/queries.ts";
import { IMPORTABLE } from "../../erasure/owned-tables.ts";
import { EVENTS_TOPIC, writtenEvents } from "../../event-log/queries.ts";
import { type AccessBlock, type DocumentRef, ensureDocuments } from "../../tenancy/queries.ts";

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

/**
 * Writes the rows of many calls in one batch, after it has purged those that they overwrite and that await a purge; a
 * call with an access block writes nothing. An existing id keeps its timestamp and its place in the feed. Organizations
 * and documents are created with their first record. Writes rows in key order to avoid deadlocks. On Citus, a function
 * of the migrations writes the rows of documents that exist, with the same columns.
 */
export const addActivityRows = batched<AddCall, { block: AccessBlock | null }>({
  ...BATCH,
  run: (database, organizationKey, calls) =>
    overwriting(database, organizationKey, calls, (accepted) =>
      writeActivities(database, accepted, insertActivities(selectRows(accepted))),
    ),
  runOnShard: (database, organizationKey, calls) =>
    overwriting(database, organizationKey, calls, (accepted) =>
      writeOnShard(database, organizationKey, accepted, "add_activities"),
    ),
});

/**
 * Writes the rows as `addActivityRows` does, and the event log in the same statement. No transaction may run it before
 * its other locks: the position in the log stays locked until the commit.
 */
export const addActivityRowsAndEvents = batched<AddCall, { block: AccessBlock | null }>({
  ...BATCH,
  *topicsOf({ organizationKey }) {
    yield EVENTS_TOPIC + organizationKey;
  },
  run: (database, organizationKey, calls) =>
    overwriting(database, organizationKey, calls, (accepted) => {
      const insert = insertActivities(selectRows(accepted));
      const written = sql`${insert} returning organization_key, document_id, id, sequence`;
      return writeActivities(database, accepted, written, sql`, ${writtenEvents("activity.add")}`);
    }),
  runOnShard: (database, organizationKey, calls) =>
    overwriting(database, organizationKey, calls, (accepted) =>
      writeOnShard(database, organizationKey, accepted, "add_activities_and_events"),
    ),
});

/**
 * Purges the rows that the calls overwrite and that await a purge, then writes the calls. Refuses calls that overwrite
 * a row of a disabled document.
 */
async function overwriting<Result>(
  database: Queryable,
  organizationKey: string,
  calls: AddCall[],
  write: (accepted: AddCall[]) => Promise<Result[]>,
): Promise<(Result | { block: AccessBlock })[]> {
  const keys = calls.map(({ rows }) => rows.flatMap(({ id, isNew }) => (isNew ? [] : [[id]])));
  const blocks = await prepareOverwritingOfCalls(database, OVERWRITTEN, organizationKey, keys);
  const accepted = calls.filter((_, index) => !blocks[index]);
  const results = accepted.length > 0 ? await write(accepted) : [];
  let position = 0;
  return blocks.map((block) => (block ? { block } : resultAt(results, position++)));
}

/** Runs the insert, and further parts of its statement that read it as `written`. */
async function writeActivities(
  database: Queryable,
  calls: AddCall[],
  insert: Sql,
  further = EMPTY,
): Promise<{ block: AccessBlock | null }[]> {
  const refused = await database.run(
    sql<{ call: number; block: AccessBlock }>`with ${ensureDocuments(calls)}, written as (
        ${insert}
      )${further}
      select number::int as call, block from call where block is not null`,
  );
  const blocks = new Map(refused.map(({ call, block }) => [call, block]));
  return calls.map((_, index) => ({ block: blocks.get(index + 1) ?? null }));
}

/** Writes the rows of one organization by a function that its node runs, except those of documents to be created. */
async function writeOnShard(
  database: Queryable,
  organizationKey: string,
  calls: AddCall[],
  name: DelegatedFunction,
): Promise<({ block: null } | undefined)[]> {
  const documentIds = documentIdsOf(calls);
  const { now, sequences } = await takeSequencesAndTime(database, documentIds.length);
  // Citus finds the node by the value of the key, which the plan of a prepared statement does not have.
  const [added] = await database.run(
    unprepared(
      sql<{ documents: string[] }>`select ${identifier(name)}(
          ${uuid(organizationKey)}, ${now}, ${texts(documentIds)}, ${sequences}, ${columnsOf(calls)}) as documents`,
    ),
  );
  return calls.map(({ documentId }) => resultIf(added?.documents.includes(documentId)));
}

function resultIf(isWritten = false): { block: null } | undefined {
  return isWritten ? { block: null } : undefined;
}

/** Returns the document of each row. */
function documentIdsOf(calls: AddCall[]): string[] {
  return calls.flatMap(({ documentId, rows }) => rows.map(() => documentId));
}

/** Takes places in the feed and the time of writing from the coordinator, whose sequence and clock are everybody's. */
async function takeSequencesAndTime(
  database: Queryable,
  count: number,
): Promise<{ now: Parameter; sequences: Parameter }> {
  const places = await database.run(
    sql<{ next: number; now: number }>`select nextval('activity_sequence') as next, ${NOW_MS} as now
      from generate_series(1, ${integer(count)})`,
  );
  return { now: bigint(places[0]?.now ?? 0), sequences: bigints(places.map(({ next }) => next)) };
}

/** Returns the insert of the rows that `select` returns. */
function insertActivities(select: Sql): Sql {
  return sql`insert into activities (organization_key, document_id, id, target_entity_id, user_id, feature_type,
      action_type, created_at, written_at, sequence, record, record_bytes)
    ${select}
    on conflict (organization_key, id) do update set
      document_id = excluded.document_id, target_entity_id = excluded.target_entity_id,
      user_id = excluded.user_id, feature_type = excluded.feature_type, action_type = excluded.action_type,
      record = excluded.record, record_bytes = excluded.record_bytes`;
}

/** Returns the select of the rows of all calls in the relation `call`. */
function selectRows(calls: AddCall[]): Sql {
  return sql`select organization_key, document_id, id, target_entity_id, user_id, feature_type, action_type,
      least(given_at, now_ms), case when given_at < now_ms then now_ms end, sequence, record::json,
      octet_length(record)
    from (
      select call.organization_key, call.document_id, activity.*, nextval('activity_sequence') as sequence,
        ${NOW_MS} as now_ms
      from unnest(
        ${integers(calls.flatMap((call, index) => call.rows.map(() => index + 1)))}, ${columnsOf(calls)}
      ) with ordinality
        as activity (call, id, target_entity_id, user_id, feature_type, action_type, given_at, record, place)
      join call on call.number = activity.call and call.block is null
      order by place
    ) as in_order
    order by organization_key, id collate "C"`;
}

function columnsOf(calls: AddCall[]): Sql {
  return join(columnList(calls), ", ");
}

/** Returns the lists of the values of all rows. */
function columnList(calls: AddCall[]): Parameter[] {
  const rows = calls.flatMap((call) => call.rows);
  return [
    texts(rows.map(({ id }) => id)),
    texts(rows.map(({ targetEntityId }) => targetEntityId)),
    texts(rows.map(({ userId }) => userId)),
    texts(rows.map(({ featureType }) => featureType)),
    texts(rows.map(({ actionType }) => actionType)),
    bigints(rows.map(({ timestamp }) => timestamp)),
    texts(rows.map(({ record }) => record)),
  ];
}
