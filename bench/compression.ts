/** `npm run bench -- compression`: what compressed responses cost the service. */
import { measure } from "./load.ts";
import { median } from "./median.ts";
import { processorTimeUs } from "./processor-time.ts";
import { AUTHENTICATION_HEADERS, type RunningService } from "./service.ts";

const ROUNDS = 7;
const SECONDS = 2;
const CONNECTIONS = 4;
const PATH = "/v2/activities/get";
const CODINGS = ["identity", "gzip", "br"];
const DOCUMENT = { documentId: "contract-7" };

/** Compares the processor time of pages whose client accepts a coding and of those whose client does not, in turn. */
export async function measureCompression(service: RunningService): Promise<void> {
  const sizes = { "50 activities": 50, "200 activities": 200, "1,000 activities": 1_000 };
  for (const [name, count] of Object.entries(sizes)) {
    const organizationId = `compressed-${count}`;
    for (let added = 0; added < count; added += 50) await addActivities(service, organizationId, added);
    await compareCodings(service, name, { organizationId, ...DOCUMENT, pageSize: count });
  }
}

async function addActivities(service: RunningService, organizationId: string, added: number): Promise<void> {
  const activities = Array.from({ length: 50 }, (_, index) => ({
    id: `activity-${added + index}`,
    featureType: "custom" as const,
    actionType: "clause.edit",
    actionUser: { userId: `user-${index}`, name: "Ada Lovelace", email: `user-${index}@example.com` },
    targetEntityId: `clause-${added + index}`,
    displayMessageTemplate: "{{user}} renamed a clause",
    displayMessageTemplateData: { user: { userId: `user-${index}`, name: "Ada Lovelace" } },
    changes: { title: { from: `Payment ${added + index}`, to: "Terms of payment" } },
  }));
  await service.call("/v2/activities/add", { organizationId, ...DOCUMENT, activities });
}

async function compareCodings({ address, program }: RunningService, name: string, data: object): Promise<void> {
  const rounds = new Map(CODINGS.map((coding) => [coding, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [coding, times] of rounds) {
      const headers = { ...AUTHENTICATION_HEADERS, "accept-encoding": coding };
      const before = processorTimeUs(program.pid);
      const load = { url: address + PATH, headers, bodies: [JSON.stringify({ data })] };
      const { requests } = await measure(load, CONNECTIONS, SECONDS);
      // The first round compiles the hot functions.
      if (round > 0) times.push((processorTimeUs(program.pid) - before) / requests);
    }
  }
  for (const [coding, times] of rounds)
    console.log(`${name}, ${coding}: ${median(times).toFixed(0)} µs in the service`);
}
