/**
 * `npm run bench -- user-data`: how long a user's records in many organizations take to go, and what a reader notices
 * of it. `USER_DATA_RECORDS=100000` makes it smaller.
 */
const RECORDS = Number(process.env.USER_DATA_RECORDS ?? 1_000_000);
const RECORDS_PER_ORGANIZATION = 1_000;
const ORGANIZATIONS = RECORDS / RECORDS_PER_ORGANIZATION;
const READERS_PAUSE_MS = 5;
const IDLE_MS = 5_000;

interface Bench {
  call(path: string, data: object): Promise<unknown>;
  /** Runs statements on the service's database. */
  run(statements: string): Promise<void>;
}

export async function measureUserDataDeletion({ call, run }: Bench): Promise<void> {
  console.log(`${RECORDS} records of one user in ${ORGANIZATIONS} organizations`);
  await call("/v2/activities/add", requestOf("template", [activity("leaver"), activity("stayer")]));
  await run(multiplied());
  const idle = await readFor(call, () => true, IDLE_MS);
  const begun = performance.now();
  const accepted = await call("/v1/users/data/delete", { userIds: ["leaver"] });
  const answeredMs = performance.now() - begun;
  const { jobId } = Object(accepted).data;
  let isDone = false;
  const reads = readFor(call, () => !isDone);
  while (!isDone) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const status = Object(await call("/v1/users/data/delete/status", { jobId }));
    isDone = status.result.data.isDeleteCompleted;
  }
  const seconds = (performance.now() - begun) / 1000;
  const meanwhile = await reads;
  console.log(`the call answered in ${answeredMs.toFixed(0)} ms (aim: 100)`);
  console.log(`everything was gone in ${seconds.toFixed(1)} s (aim, of a million: 120)`);
  console.log(
    `p99 of activities/get: ${p99(idle).toFixed(1)} ms idle, ${p99(meanwhile).toFixed(1)} ms meanwhile: ` +
      `${(p99(meanwhile) / p99(idle)).toFixed(2)} times (aim: 3)`,
  );
}

/** The times, in milliseconds, of reads that one reader makes one after the other. */
async function readFor(call: Bench["call"], mayGoOn: () => boolean, forMs = Infinity): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (mayGoOn() && performance.now() < until) {
    const begun = performance.now();
    await call("/v2/activities/get", { organizationId: "template", pageSize: 50 });
    times.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, READERS_PAUSE_MS));
  }
  return times;
}

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

function requestOf(organizationId: string, activities: object[]): object {
  return { organizationId, documentId: "document-0", activities };
}

function activity(userId: string): object {
  return {
    id: userId,
    featureType: "comment",
    actionType: "comment.add",
    actionUser: { userId, name: "Ada Lovelace", email: `${userId}@example.com` },
    targetEntityId: "thread-1",
    entityData: { text: "x".repeat(350) },
  };
}

/** The leaver's record as often as asked, and the other's a tenth as often. */
function multiplied(): string {
  const key = (number: string) => `substr(encode(sha256(convert_to(workspace_id::text, 'UTF8') || '\\x00'
    || convert_to('organization-' || ${number}, 'UTF8')), 'hex'), 1, 32)::uuid`;
  return `
    insert into organizations (organization_key, workspace_id, organization_id)
    select ${key("number")}, workspace_id, 'organization-' || number
    from organizations, generate_series(1, ${ORGANIZATIONS}) as number where organization_id = 'template';
    insert into activities (organization_key, id, document_id, target_entity_id, user_id, feature_type, action_type,
      created_at, sequence, record, record_bytes)
    select ${key("organization")}, id || '-' || number, document_id, target_entity_id, user_id, feature_type,
      action_type, activities.created_at, nextval('activity_sequence'), activities.record, activities.record_bytes
    from organizations join activities using (organization_key), generate_series(1, ${ORGANIZATIONS}) as organization,
      generate_series(1, ${RECORDS_PER_ORGANIZATION}) as number
    where organization_id = 'template' and (id = 'leaver' or number <= ${RECORDS_PER_ORGANIZATION / 10});
    insert into activities (organization_key, id, document_id, target_entity_id, user_id, feature_type, action_type,
      created_at, sequence, record, record_bytes)
    select organization_key, id || '-' || number, document_id, target_entity_id, user_id, feature_type,
      action_type, activities.created_at, nextval('activity_sequence'), activities.record, activities.record_bytes
    from organizations join activities using (organization_key), generate_series(1, 5000) as number
    where organization_id = 'template' and id = 'stayer';`;
}
