/**
 * `npm run bench -- user-data`: measures how long the deletion of a user's records in many organizations takes, and how
 * much it slows down a reader. `USER_DATA_RECORDS=100000` reduces the number of records.
 */
import type { Api } from "../src/operations.ts";
import { runAndVacuum } from "./postgres.ts";
import type { RunningService } from "./service.ts";

const RECORDS = Number(process.env.USER_DATA_RECORDS ?? 1_000_000);
const RECORDS_PER_ORGANIZATION = 1_000;
const ORGANIZATIONS = RECORDS / RECORDS_PER_ORGANIZATION;
const READ_INTERVAL_MS = 5;
const IDLE_READ_MS = 5_000;

type Request = Api["/v2/activities/add"]["request"];
type Call = RunningService["call"];

export async function measureUserDataDeletion({ call }: RunningService, connectionString: string): Promise<void> {
  console.log(`${RECORDS} records of one user in ${ORGANIZATIONS} organizations`);
  await call("/v2/activities/add", buildRequest("template", [activity("leaver"), activity("stayer")]));
  await runAndVacuum(connectionString, copyStatements());
  const idle = await measureReads(call, () => true, IDLE_READ_MS);
  const startedAt = performance.now();
  const accepted = await call("/v1/users/data/delete", { userIds: ["leaver"] });
  const responseMs = performance.now() - startedAt;
  const { jobId } = accepted;
  let isDone = false;
  const reads = measureReads(call, () => !isDone);
  while (!isDone) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    isDone = (await call("/v1/users/data/delete/status", { jobId })).isDeleteCompleted;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const duringDeletion = await reads;
  console.log(`response after ${responseMs.toFixed(0)} ms (target: 100)`);
  console.log(`deletion completed in ${seconds.toFixed(1)} s (target for a million records: 120)`);
  console.log(
    `p99 of activities/get: ${p99(idle).toFixed(1)} ms idle, ` +
      `${p99(duringDeletion).toFixed(1)} ms during the deletion: ` +
      `${(p99(duringDeletion) / p99(idle)).toFixed(2)} times (target: 3)`,
  );
}

/** Returns the latencies, in milliseconds, of the reads that one reader makes in sequence. */
async function measureReads(call: Call, shouldContinue: () => boolean, durationMs = Infinity): Promise<number[]> {
  const times: number[] = [];
  const endAt = performance.now() + durationMs;
  while (shouldContinue() && performance.now() < endAt) {
    const startedAt = performance.now();
    await call("/v2/activities/get", { organizationId: "template", pageSize: 50 });
    times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, READ_INTERVAL_MS));
  }
  return times;
}

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

function buildRequest(organizationId: string, activities: Request["activities"]): Request {
  return { organizationId, documentId: "document-0", activities };
}

function activity(userId: string): Request["activities"][number] {
  return {
    id: userId,
    featureType: "comment",
    actionType: "comment.add",
    actionUser: { userId, name: "Ada Lovelace", email: `${userId}@example.com` },
    targetEntityId: "thread-1",
    entityData: { text: "x".repeat(350) },
  };
}

/** Returns statements that copy the leaver's record 1,000 times per organization, and the stayer's 100 times. */
function copyStatements(): string {
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
