import { newId } from "../../../../database/new-id.ts";
import type { TransactionalQueryable } from "../../../../database/statement.ts";
import { type InTransaction, inOrganization, type OrganizationScope } from "../../../tenancy/organization-scope.ts";
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
  { workspaceId, organizationId }: DispatchedOrganization,
  signal: AbortSignal,
): Promise<Set<Target>> {
  const targets = new Set<Target>();
  let isEnd: boolean;
  do {
    isEnd = await inOrganization(database, { id: workspaceId }, organizationId, (scope) =>
      dispatchNext(scope, targets),
    );
  } while (!isEnd && !signal.aborted);
  return targets;
}

/** Writes the messages of the next events. Returns whether there are no more. */
async function dispatchNext(scope: InTransaction<OrganizationScope>, targets: Set<Target>): Promise<boolean> {
  const { organizationId, workspace } = scope;
  const after = await lockDispatch(scope);
  const { events, until } = await selectNextEvents(scope, after, EVENTS_AT_ONCE);
  if (until === after) return true;
  const receivers = events.length === 0 ? [] : await selectReceivers(scope, workspace.id);
  const messages = events.flatMap(({ position, timestamp, ...logged }) => {
    const event = { organizationId, ...logged };
    return receivers
      .filter((receiver) => receiver.wants(event, timestamp))
      .map(({ target }) => ({ id: newId(), target, position, event, createdAt: timestamp }));
  });
  await insertDispatched(scope, messages, until);
  for (const { target } of messages) targets.add(target);
  return events.length < EVENTS_AT_ONCE;
}
