import type { Reading } from "./gather.ts";
import { getIdentities, type Space } from "./tenant.ts";

/** Fields whose values depend on the time, the order of concurrent calls, or chance. */
const CHANGING = new Set([
  ...[
    "annotationIndex",
    "annotationNumber",
    "attempts",
    "contentBytes",
    "cursor",
    "databaseSizeBytes",
    "day",
    "eventCursor",
    "health",
    "iterator",
  ],
  ...["lastUsedAt", "prevIterator", "queuedJobs", "secret", "signature", "state"],
]);
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Address of either process, and a login link to it. */
const LOGIN_LINK = /http:\/\/127\.0\.0\.1:\d+(\/console\/sign-in#[\w-]{43})?/g;
const MASKED_TOKEN = /\*{8}[0-9a-f]{4}/g;
const HASH = /"[0-9a-f]{32}"/g;
const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const EARLIEST_MS = Date.UTC(2020);

/**
 * Returns a value that has names instead of what belongs to the workspace, and lists in an order that does not depend
 * on the time, so that workspaces with the same records are equal.
 */
export function comparable(space: Space, value: unknown): unknown {
  let text = JSON.stringify(value);
  for (const [identity, name] of getIdentities(space)) text = text.replaceAll(identity, name);
  const masked = text
    .replaceAll(LOGIN_LINK, "<process>")
    .replaceAll(UUID, "<ID>")
    .replaceAll(MASKED_TOKEN, "<token>")
    .replaceAll(HASH, '"<hash>"')
    .replaceAll(ISO_TIME, "<time>");
  return sorted(JSON.parse(masked));
}

function sorted(value: unknown): unknown {
  if (typeof value === "number" && value > EARLIEST_MS) return "<time>";
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const texts = value.map((item) => JSON.stringify(sorted(item)));
    return texts.sort().map((text) => JSON.parse(text));
  }
  const fields = Object.entries(value).filter(([name]) => !CHANGING.has(name));
  return Object.fromEntries(
    fields.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, field]) => [name, sorted(field)]),
  );
}

/** Returns what a reading has of other workspaces, or of the other organization of its own workspace. */
export function foreignIn(space: Space, others: Space[], { name, organizationId, data }: Reading): string[] {
  const text = JSON.stringify(data);
  const foreign = [
    ...others.flatMap((other) => getIdentities(other).map(([identity]) => identity)),
    ...space.tenants
      .filter((tenant) => organizationId !== undefined && tenant.organizationId !== organizationId)
      .map((tenant) => `${space.name}/${tenant.organizationId}`),
  ];
  return foreign.filter((each) => text.includes(each)).map((each) => `${each} in ${name} of ${space.name}`);
}

/** Returns the generated IDs that readings of several workspaces have. */
export function sharedIds(readings: Reading[][]): string[] {
  const ids = readings.map((each) => new Set(JSON.stringify(each).match(UUID)));
  return ids.flatMap((some, index) => ids.slice(index + 1).flatMap((other) => [...some.intersection(other)]));
}
