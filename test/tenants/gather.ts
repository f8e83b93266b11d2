import { readOutbox } from "../mails.ts";
import { READS, readEverything, readRequestLog } from "./reads.ts";
import { completed, type Streams } from "./streams.ts";
import type { Space } from "./tenant.ts";

const OF_WORKSPACE = ["/v2/organizations/get", "/v2/users/data/organizations/get"];
const READS_OF_WORKSPACE = READS.filter(({ path }) => path.startsWith("/v2/workspace") || OF_WORKSPACE.includes(path));
const READS_OF_ORGANIZATION = READS.filter((read) => !READS_OF_WORKSPACE.includes(read));

/** What a workspace, or one of its organizations, can read or receive. */
export interface Reading {
  name: string;
  organizationId: string | undefined;
  data: unknown;
}

/** Reads everything that the workspace can, and both tenants, as the backend and as the user grace. */
export async function readAll(space: Space): Promise<Reading[]> {
  const readings: Reading[] = [];
  const [first] = space.tenants;
  for (const [name, data] of first ? await readEverything(first, READS_OF_WORKSPACE) : []) {
    readings.push({ name, organizationId: undefined, data });
  }
  for (const tenant of space.tenants) {
    const { organizationId } = tenant;
    for (const userToken of [undefined, tenant.userToken]) {
      const reader = `${organizationId}${userToken === undefined ? "" : " as grace"}`;
      for (const [path, data] of await readEverything(tenant, READS_OF_ORGANIZATION, userToken)) {
        readings.push({ name: `${reader}: ${path}`, organizationId, data });
      }
    }
  }
  return readings;
}

/** Returns everything that was sent to the workspace, and to its tenants. */
export async function receiveAll(space: Space, streams: Streams, dataDir: string): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const stream of streams) {
    const { name, tenant } = stream;
    const { organizationId } = tenant;
    readings.push({ name, organizationId, data: await completed(stream) });
    readings.push({ name: `${name}: presence data`, organizationId, data: stream.presenceData() });
  }
  const mails = (await readOutbox(dataDir)).filter(({ to = [] }) =>
    to.some(({ address = "" }) => address.endsWith(`${space.name}.example`)),
  );
  const texts = mails.map(({ to, from, subject, text }) => ({ to, from, subject, text }));
  return [
    ...readings,
    { name: "mails", organizationId: undefined, data: texts },
    { name: "webhooks", organizationId: undefined, data: space.receiver.requests },
  ];
}

/** Returns which webhooks were received, each once. Their bodies have the records as of the time of sending. */
export function getWebhooks({ receiver }: Space): unknown[] {
  const unique = new Map(
    receiver.requests.map(({ path, headers, body }) => {
      const { event, actionType, data } = JSON.parse(body);
      const { annotationId } = Object(data?.commentAnnotation);
      return [`${path} ${headers["webhook-id"]}`, { path, event, actionType, annotationId }];
    }),
  );
  return [...unique.values()];
}

/** Counts the calls of each operation that the request log has, except for those that read. */
export async function countRequests({ tenants }: Space): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const [tenant] = tenants;
  for (const { operation, status } of tenant ? await readRequestLog(tenant) : []) {
    if (READS.some(({ path }) => path === operation)) continue;
    const name = `${operation} ${status}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
