import { newId } from "../../../../database/new-id.ts";
import type { Queryable, TransactionalQueryable } from "../../../../database/statement.ts";
import { selectReceivers } from "../receivers.ts";
import type { Target } from "../target.ts";
import {
  type DispatchedOrganization,
  insertDispatched,
  lockDispatch,
  selectNextEvents,
} from "./webhook-dispatch-queries.ts";

const EVENTS_AT_ONCE = 500;

/**
 * Writes the messages of all events of an organization for which none were written yet. An event has its messages
 * exactly once, because they are written in one transaction with the position. Returns who gets messages. Ends early if
 * `signal` is aborted.
 */
export async function dispatchEvents(
  database: TransactionalQueryable,
  organizationKey: string,
  organization: DispatchedOrganization,
  signal: AbortSignal,
): Promise<Set<Target>> {
  const targets = new Set<Target>();
  let isEnd: boolean;
  do {
    isEnd = await database.transaction((transaction) =>
      dispatchNext(transaction, { ...organization, organizationKey }, targets),
    );
  } while (!isEnd && !signal.aborted);
  return targets;
}

/** Writes the messages of the next events. Returns whether there are no more. */
async function dispatchNext(
  transaction: Queryable,
  organization: DispatchedOrganization & { organizationKey: string },
  targets: Set<Target>,
): Promise<boolean> {
  const { organizationKey, organizationId, workspaceId } = organization;
  const after = await lockDispatch(transaction, organizationKey);
  const { events, until } = await selectNextEvents(transaction, organizationKey, after, EVENTS_AT_ONCE);
  if (until === after) return true;
  const receivers = events.length === 0 ? [] : await selectReceivers(transaction, workspaceId);
  const messages = events.flatMap(({ position, timestamp, ...logged }) => {
    const event = { organizationId, ...logged };
    return receivers
      .filter((receiver) => receiver.wants(event, timestamp))
      .map(({ target }) => ({ id: newId(), target, position, event, createdAt: timestamp }));
  });
  await insertDispatched(transaction, organization, messages, until);
  for (const { target } of messages) targets.add(target);
  return events.length < EVENTS_AT_ONCE;
}
