/** Fills a database with activities by COPY, as `/v2/activities/add` would have written them. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { v7 as uuidv7 } from "uuid";
import { toActivityRow } from "../src/features/activities/activity-row.ts";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import { buildActivity, getDocument } from "./growth-data.ts";

/** The largest organization has one record in ten; the others share the rest. */
export const LARGEST_ONE_IN = 10;
const ROWS_PER_CHUNK = 500;
const COLUMNS = [
  ...["organization_key", "id", "document_id", "target_entity_id", "user_id", "feature_type", "action_type"],
  ...["created_at", "sequence", "record", "record_bytes"],
];

export interface Content {
  records: number;
  organizations: number;
  /** Time from a record to the next one, the last of which is of now. */
  intervalMs: number;
}

/** Returns the IDs of the organizations, the largest first. */
export function organizationIds(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `organization-${number}`);
}

/** Fills the database of a service that has one workspace. Builds the indexes afterwards, which takes less time. */
export async function fill(connectionString: string, content: Content): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<Workspace>("select id, api_key from workspaces");
    const [workspace] = rows;
    if (!workspace) throw new Error("the service has no workspace");
    const indexes = await dropIndexes(client);
    const activities = `copy activities (${COLUMNS.join(", ")}) from stdin`;
    await pipeline(Readable.from(inChunks(getRows(workspace, content))), client.query(copyFrom(activities)));
    for (const index of indexes) await client.query(index);
    await client.query(`select setval('activity_sequence', ${content.records})`);
    const values = organizationIds(content.organizations).map((id) => [
      organizationKey(workspace.id, id),
      workspace.id,
      id,
    ]);
    const organizations = "copy organizations (organization_key, workspace_id, organization_id) from stdin";
    await pipeline(Readable.from(inChunks(values)), client.query(copyFrom(organizations)));
    await client.query(`insert into documents (organization_key, document_id)
      select distinct organization_key, document_id from activities`);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

interface Workspace {
  id: string;
  api_key: string;
}

/** Drops the indexes of activities. Returns the statements that create them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string; constraint: string | null }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition,
      pg_get_constraintdef(pg_constraint.oid) as constraint
    from pg_index left join pg_constraint on conindid = indexrelid where indrelid = 'activities'::regclass`,
  );
  for (const { name, constraint } of rows) {
    await client.query(constraint ? `alter table activities drop constraint ${name}` : `drop index ${name}`);
  }
  return rows.map(({ name, definition, constraint }) =>
    constraint ? `alter table activities add constraint ${name} ${constraint}` : definition,
  );
}

/** Yields the rows in order of time: the records of an organization are spread over the table, as they arrive. */
function* getRows(
  { id, api_key: apiKey }: Workspace,
  { records, organizations: count, intervalMs }: Content,
): Generator<unknown[]> {
  const organizations = organizationIds(count).map((name) => ({ name, key: organizationKey(id, name), records: 0 }));
  const [largest, ...others] = organizations;
  const startedAt = Date.now() - records * intervalMs;
  for (let number = 0, next = 0; number < records; number++) {
    const isOfLargest = number % LARGEST_ONE_IN === 0;
    const organization = isOfLargest ? largest : others[next++ % others.length];
    if (!organization) throw new Error(`${records} records are too few for two organizations`);
    const createdAt = Math.floor(startedAt + number * intervalMs);
    const activity = { id: uuidv7({ msecs: createdAt }), ...buildActivity(organization.records) };
    const documentId = getDocument(organization.records++);
    const row = toActivityRow(activity, { apiKey }, organization.name, documentId);
    const record = JSON.stringify(row.record);
    yield [
      ...[organization.key, row.id, documentId, row.targetEntityId, row.userId, row.featureType, row.actionType],
      ...[createdAt, number + 1, record, Buffer.byteLength(record)],
    ];
  }
}

/** Yields rows in the text format of COPY. Their values have no character that it would escape. */
function* inChunks(rows: Iterable<unknown[]>): Generator<string> {
  let chunk: string[] = [];
  for (const row of rows) {
    chunk.push(`${row.join("\t")}\n`);
    if (chunk.length < ROWS_PER_CHUNK) continue;
    yield chunk.join("");
    chunk = [];
  }
  yield chunk.join("");
}
