import { availableParallelism } from "node:os";
import type { Api } from "../src/operations.ts";
import { commentScenarios } from "./comments.ts";
import { crdtScenarios } from "./crdt.ts";
import { domainScenarios } from "./domains.ts";
import { notificationScenarios } from "./notifications.ts";
import { presenceScenarios } from "./presence.ts";
import { recordingScenarios } from "./recordings.ts";
import type { Scenario, SeedCall } from "./scenario.ts";
import { userScenarios } from "./users.ts";

type Activity = Api["/v2/activities/add"]["request"]["activities"][number];

export const STORED_RECORDS = 20_000;
const RECORDS_PER_DOCUMENT = 200;
const RECORD_BYTES = 600;

const activityTable = `
  create table activities (
    id uuid primary key default gen_random_uuid(),
    organization_id text not null,
    document_id text not null,
    created_at timestamptz not null default clock_timestamp(),
    record jsonb not null
  );
  create index on activities (organization_id, document_id, created_at);
  insert into activities (organization_id, document_id, record)
  select 'bench', 'document-' || number % ${STORED_RECORDS / RECORDS_PER_DOCUMENT},
    $record$${JSON.stringify(activity(0))}$record$
  from generate_series(1, ${STORED_RECORDS}) as number;
`;

const addActivities: Scenario = {
  name: "activities/add",
  path: "/v2/activities/add",
  requests: [{ organizationId: "bench", documentId: "document-0", activities: [activity(0)] }],
  targetRatio: 1.2,
  floor: {
    setup: activityTable,
    statement: "insert into activities (organization_id, document_id, record) values ($1, $2, $3)",
    values: ({ organizationId, documentId, activities }) => [organizationId, documentId, JSON.stringify(activities[0])],
  },
};

const activityScenarios: Scenario[] = [
  addActivities,
  {
    name: "activities/get",
    path: "/v2/activities/get",
    requests: documents().map((documentId) => ({ organizationId: "bench", documentId, pageSize: 50 })),
    targetRatio: 1.4,
    floor: {
      setup: activityTable,
      statement: `select record from activities where organization_id = $1 and document_id = $2
        order by created_at desc limit 50`,
      values: ({ organizationId, documentId }) => [organizationId, documentId],
    },
  },
];

/** Rate ratios that a service with a process for each core must at least reach beside a floor of one process. */
const ALL_CORES_TARGETS: Record<string, number> = { "activities/add": 1.3, "activities/get": 2.5 };

export const scenarios: Scenario[] = [
  ...activityScenarios,
  ...activityScenarios.map((scenario) => ({
    ...scenario,
    name: `${scenario.name}, all cores`,
    targetRatio: ALL_CORES_TARGETS[scenario.name] ?? scenario.targetRatio,
    processes: availableParallelism(),
  })),
  {
    ...addActivities,
    name: "activities/add, listened to",
    // At most 15 % slower than without listeners.
    targetRatio: 0.85,
    seed: () => [...activitySeedCalls(), { path: "/v2/events/get", data: { organizationId: "bench" } }],
    besideSeed: activitySeedCalls,
  },
  {
    ...addActivities,
    name: "activities/add, with a key",
    headers: { "idempotency-key": "[<id>]" },
    // Four round trips more than the floor: begin, the key, the response and commit.
    targetRatio: 0.25,
  },
  ...commentScenarios,
  ...crdtScenarios,
  ...domainScenarios,
  ...notificationScenarios,
  ...presenceScenarios,
  ...recordingScenarios,
  ...userScenarios,
];

/** Returns the calls that store the same activities in the service as the floor has. */
export function activitySeedCalls(): SeedCall[] {
  return documents().map((documentId) => ({
    path: "/v2/activities/add",
    data: {
      organizationId: "bench",
      documentId,
      activities: Array.from({ length: RECORDS_PER_DOCUMENT }, (_, number) => activity(number)),
    },
  }));
}

function documents(): string[] {
  return Array.from({ length: STORED_RECORDS / RECORDS_PER_DOCUMENT }, (_, number) => `document-${number}`);
}

/** Returns an activity whose JSON text is 600 bytes long. */
function activity(number: number): Activity {
  const record = {
    featureType: "comment" as const,
    actionType: "comment.add",
    actionUser: { userId: `user-${number % 50}`, name: "Ada Lovelace", email: "ada@example.com" },
    targetEntityId: `thread-${number % 20}`,
    changes: { text: { from: null, to: "We should say thirty days here." } },
    entityData: { text: "" },
    displayMessageTemplate: "{{user}} commented on {{document}}",
    displayMessageTemplateData: { user: { userId: `user-${number % 50}`, name: "Ada Lovelace" }, document: "Contract" },
  };
  record.entityData.text = "x".repeat(RECORD_BYTES - JSON.stringify(record).length);
  return record;
}
