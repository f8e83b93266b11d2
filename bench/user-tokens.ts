import { type Load, measure } from "./load.ts";
import { processorTimeUs } from "./processor-time.ts";
import { activitySeedCalls } from "./scenarios.ts";
import { AUTHENTICATION_HEADERS, type RunningService } from "./service.ts";

const PATH = "/v2/activities/get";
const ROUNDS = 6;
const SECONDS = 3;
const CONNECTIONS = 16;

/** Compares the processor time of a request with a user token and with an auth token, in alternating rounds. */
export async function measureUserTokens(service: RunningService, postmasterPid: number): Promise<void> {
  for (const { path, data } of activitySeedCalls()) await service.call(path, data);
  const { token } = await service.call("/v2/auth/generate_token", {
    userId: "ada",
    userProperties: { name: "Ada Lovelace", email: "ada@example.com" },
    permissions: { resources: [{ type: "organization", id: "bench", accessRole: "viewer" }] },
  });
  const body = JSON.stringify({ data: { organizationId: "bench", documentId: "document-0", pageSize: 10 } });
  const callers: [name: string, headers: Record<string, string>][] = [
    ["auth token", AUTHENTICATION_HEADERS],
    ["user token", { authorization: `Bearer ${token}` }],
  ];
  const least = new Map<string, { processUs: number; postgresUs: number }>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, headers] of callers) {
      const load: Load = { url: service.address + PATH, headers, bodies: [body] };
      const before = [processorTimeUs(service.program.pid), processorTimeUs(postmasterPid)] as const;
      const { requests } = await measure(load, CONNECTIONS, SECONDS);
      const processUs = (processorTimeUs(service.program.pid) - before[0]) / requests;
      const postgresUs = (processorTimeUs(postmasterPid) - before[1]) / requests;
      const known = least.get(name);
      // Other processes only add to the time. The first round compiles the hot functions.
      if (round > 0 && !(known && known.processUs + known.postgresUs < processUs + postgresUs)) {
        least.set(name, { processUs, postgresUs });
      }
    }
  }
  for (const [name, { processUs, postgresUs }] of least) {
    console.log(`${PATH}, ${name}: ${processUs.toFixed(0)} µs in the service, ${postgresUs.toFixed(0)} in PostgreSQL`);
  }
}
