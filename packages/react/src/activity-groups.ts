import type { Activity } from "@colloquy/client";

/** Activities of one user and kind in one document, newest first. */
export type ActivityGroup = readonly [Activity, ...Activity[]];

/** Maximum time between two activities of a group. */
const GROUP_MS = 10 * 60_000;

/** Returns groups of activities by the beginning of their day, newest first. */
export function groupByDay(
  activities: readonly Activity[],
  startOfDay: (time: number) => number,
): { day: number; groups: ActivityGroup[] }[] {
  const days: { day: number; groups: [Activity, ...Activity[]][] }[] = [];
  for (const activity of activities) {
    const day = startOfDay(activity.timestamp);
    const current = days.at(-1);
    const group = current?.day === day ? current.groups.at(-1) : undefined;
    const last = group?.at(-1);
    if (group && last && isAlike(last, activity)) group.push(activity);
    else if (current?.day === day) current.groups.push([activity]);
    else days.push({ day, groups: [[activity]] });
  }
  return days;
}

function isAlike(newer: Activity, older: Activity): boolean {
  const toKey = ({ actionUser, actionType, messageKey, metadata }: Activity) =>
    JSON.stringify([actionUser?.userId, actionType, messageKey, metadata.documentId]);
  return newer.timestamp - older.timestamp <= GROUP_MS && toKey(newer) === toKey(older);
}
