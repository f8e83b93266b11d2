import { setTimeout as delay } from "node:timers/promises";
import { ServiceError } from "../../contract/errors.ts";
import type { Context } from "../../contract/operation.ts";
import { keepEventLog } from "../event-log/listening.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { type LogState, selectEvents, selectLogState } from "./event-queries.ts";
import { currentLiveStates, type EventWithRecord, withRecords } from "./records.ts";
import type { EventScope } from "./schema.ts";

/** A position in the log of an organization, and since when the log has been written without a break. */
export interface LogPosition {
  position: number;
  since: number;
}

export interface EventPage {
  events: EventWithRecord[];
  /** Position of the last event that was looked at. */
  next: LogPosition;
  /** Whether events between the position that was asked for and the first one of the page are no longer kept. */
  isReset: boolean;
  /** Whether there is nothing more to read at present. */
  isEnd: boolean;
}

/**
 * Returns the function that reads the events after a position. Without one it reads where the log ends, with the live
 * states of the documents as events, so that a page that connects has what others have broadcast. Begins to write the
 * log if nobody has listened before, and then waits until all processes write it.
 */
export async function eventReader(
  context: Context,
  { organizationId, ...filters }: EventScope,
): Promise<(after: LogPosition | undefined, limit: number) => Promise<EventPage>> {
  const { workspace, database, user, events, waitOutside } = context;
  const scope = openOrganization(database, workspace, organizationId);
  const since = await keepEventLog(context);
  const startsInMs = since + events.startMs - Date.now();
  if (startsInMs > 0) await waitOutside(delay(Math.min(startsInMs, events.startMs)));

  return async (after, limit) => {
    const state = await selectLogState(scope, filters.documentIds);
    assertAccessible(state.block, organizationId);
    if (!after || after.since !== since || !isKept(after.position, state)) {
      const { documentIds, kinds } = filters;
      const isShown = !after && (kinds?.includes("live_state.update") ?? true);
      const place = { position: state.last, limit };
      const events = isShown ? await currentLiveStates(context, { organizationId, documentIds }, place) : [];
      return { events, next: { position: state.last, since }, isReset: after !== undefined, isEnd: true };
    }
    if (after.position >= state.last) return { events: [], next: after, isReset: false, isEnd: true };
    const range = { after: after.position, last: state.last, limit };
    const { events: found, until } = await selectEvents(scope, { ...filters, seenBy: user }, range);
    const { events, count } = await withRecords(context, organizationId, found);
    const position = count < found.length ? (found[count - 1]?.position ?? after.position) : until;
    return { events, next: { position, since }, isReset: false, isEnd: position === state.last };
  };
}

/**
 * Returns whether no event after the position was deleted because of its age. The log of a restored database may be
 * shorter.
 */
function isKept(position: number, { last, expiredUntil }: LogState): boolean {
  return position <= last && position >= expiredUntil;
}

/** Returns the cursor of a position. */
export function getCursor(
  { workspace, events }: Pick<Context, "workspace" | "events">,
  organizationId: string,
  { position, since }: LogPosition,
): string {
  return events.signCursor(workspace.id, organizationId, [position, since]);
}

/** Returns the position of a cursor. Throws INVALID_ARGUMENT if it was made for something else. */
export function getPosition(
  { workspace, events }: Pick<Context, "workspace" | "events">,
  organizationId: string,
  cursor: string,
): LogPosition {
  const [position, since]: unknown[] = [events.verifyCursor(workspace.id, organizationId, cursor) ?? []].flat();
  if (typeof position === "number" && typeof since === "number") return { position, since };
  throw new ServiceError(
    "page_token_invalid",
    "data.cursor is not a cursor of this organization's events. Send back the last one unchanged, or leave it out to " +
      "start with the events from now on.",
    { details: { issues: [{ path: "data.cursor", message: "is not a cursor of this organization's events" }] } },
  );
}
