import { expect } from "vitest";
import { openEventStream } from "../event-streams.ts";
import { eventually } from "../eventually.ts";
import { DOCUMENT_ID, type Space, type Tenant } from "./tenant.ts";

interface ReceivedEvent {
  event: string;
  subject: object;
}

interface TenantStream {
  tenant: Tenant;
  name: string;
  token: string | undefined;
  /** Returns the events so far. */
  received(): ReceivedEvent[];
  /** Returns the presence data in the document of the tenant so far, in the stream of the backend. */
  presenceData(): unknown[];
}

/** The streams of all tenants of a workspace: one of the backend and one of the user grace, each at a process. */
export type Streams = TenantStream[];

export async function openStreams(space: Space): Promise<Streams> {
  const streams: Streams = [];
  for (const tenant of space.tenants) {
    for (const [index, token] of [undefined, tenant.userToken].entries()) {
      const open = (query: Record<string, string>) =>
        openEventStream(space.workspace, space.addresses[index] ?? "", {
          query: { organizationId: tenant.organizationId, ...query },
          headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        });
      const { received } = await open({});
      // A stream of a document would make grace present in it.
      const presence = token === undefined && (await open({ documentId: DOCUMENT_ID, presenceData: "true" }));
      streams.push({
        tenant,
        name: `stream of ${tenant.organizationId}${token === undefined ? "" : " as grace"}`,
        token,
        received: () =>
          received.flatMap(({ event, data }) => (event && data !== undefined ? [{ ...JSON.parse(data), event }] : [])),
        presenceData: () =>
          (presence ? presence.received : [])
            .flatMap(({ event, data = "" }) => (event === "presence.data" ? JSON.parse(data).connections : []))
            .filter(({ data }) => data !== undefined),
      });
    }
  }
  return streams;
}

/**
 * Waits until a stream has everything that is in the event log. It also has events of records that were deleted later.
 * Returns its events.
 */
export async function completed({ tenant, token, received }: TenantStream): Promise<ReceivedEvent[]> {
  const logged = await readLog(tenant, token);
  return eventually(() => {
    const events = received();
    const streamed = new Set(events.map(stable));
    expect(logged.filter((event) => !streamed.has(event))).toEqual([]);
    return events;
  });
}

/** Reads all events of the tenant by `/v2/events/get`. */
async function readLog(tenant: Tenant, token: string | undefined): Promise<string[]> {
  const { organizationId } = tenant;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const events: string[] = [];
  let cursor = tenant.firstCursor;
  for (;;) {
    const page = await tenant.data("/v2/events/get", { organizationId, cursor }, headers);
    if (page.events.length === 0) return events;
    events.push(...page.events.map(stable));
    cursor = page.cursor;
  }
}

/**
 * Returns what an event says at any time. Its record is as it was when the event was sent, and its document may have
 * been migrated.
 */
function stable({ event, subject }: Pick<ReceivedEvent, "event" | "subject">): string {
  return JSON.stringify([event, subject]);
}
