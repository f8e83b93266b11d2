import { userLabel } from "../../components/display-text.ts";
import { formatCount } from "../../components/numbers.ts";

const STATUSES = ["online", "away", "offline"];

interface Present {
  userId: string;
  name?: string;
  email?: string;
  status: string;
}

/** Who is here first, then by name. */
export function compareByStatus(one: Present, other: Present): number {
  const order = STATUSES.indexOf(one.status) - STATUSES.indexOf(other.status);
  return order || userLabel(one).localeCompare(userLabel(other));
}

/** Such as "2 online, 1 away". */
export function summaryOf(users: Present[]): string {
  return STATUSES.map((status) => [status, users.filter((user) => user.status === status).length] as const)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${formatCount(count)} ${status}`)
    .join(", ");
}
