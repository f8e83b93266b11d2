import type { Presence } from "../../api/records.ts";
import { userLabel } from "../../components/display-text.ts";
import { formatCount } from "../../components/numbers.ts";

const STATUSES: Presence["status"][] = ["online", "away", "offline"];

type PresentUser = Pick<Presence, "userId" | "name" | "email" | "status">;

/** Compares users by status, online first, then by name. */
export function compareByStatus(one: PresentUser, other: PresentUser): number {
  const order = STATUSES.indexOf(one.status) - STATUSES.indexOf(other.status);
  return order || userLabel(one).localeCompare(userLabel(other));
}

/** Returns the number of users by status, such as "2 online, 1 away". */
export function statusSummary(users: PresentUser[]): string {
  return STATUSES.map((status) => [status, users.filter((user) => user.status === status).length] as const)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${formatCount(count)} ${status}`)
    .join(", ");
}
