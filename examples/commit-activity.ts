import type { Api } from "../src/operations.ts";
import { asIdentifier } from "./client.ts";
import type { Commit, FileChange } from "./git-log.ts";

type Activity = Api["/v2/activities/get"]["response"][number];
type NewActivity = Api["/v2/activities/add"]["request"]["activities"][number];

/** What the examples write of a commit, as far as they read it again. */
export type CommitActivity = Activity & {
  displayMessageTemplate: string;
  displayMessageTemplateData: { user: { name: string }; subject: string };
  entityData: { authoredAt: string; filesChanged: number; linesRemoved: number; linesAdded: number };
};

/** Who wrote the commit, as a user of the API. */
export function authorOf({ name, email }: Commit): { userId: string; name: string; email: string } {
  return { userId: asIdentifier(email || name, "unknown"), name: name || email || "unknown", email };
}

export function subjectOf({ message }: Commit): string {
  return message.split("\n")[0] || "(no message)";
}

/** Returns the activity of a commit; `changes` has only the first files if its JSON would not fit into `room` bytes. */
export function toActivity(commit: Commit, targetEntityId: string, room: number): NewActivity {
  const { hash, parents, authoredAt, message, files } = commit;
  const { email, ...user } = authorOf(commit);
  const activity = {
    id: hash,
    featureType: "custom" as const,
    actionType: parents.length > 1 ? "commit.merge" : "commit.add",
    actionUser: { ...user, email },
    targetEntityId,
    entityData: {
      authoredAt,
      parents,
      filesChanged: files.length,
      linesRemoved: files.reduce((lines, { from }) => lines + (from ?? 0), 0),
      linesAdded: files.reduce((lines, { to }) => lines + (to ?? 0), 0),
    },
    displayMessageTemplate: "{{user}}: {{subject}}",
    displayMessageTemplateData: { user, subject: subjectOf(commit), message },
  };
  for (let listed = files.length; ; listed = Math.floor(listed / 2)) {
    const fitting = { ...activity, changes: changesOf(files.slice(0, listed)) };
    if (listed === 0 || Buffer.byteLength(JSON.stringify(fitting)) < room) return fitting;
  }
}

/** By fromEntries, which makes `__proto__` a key like any other: a file may have that name. */
function changesOf(files: FileChange[]): Record<string, { from: number | null; to: number | null }> {
  return Object.fromEntries(files.map(({ path, from, to }) => [path, { from, to }]));
}

/** Holds because the examples alone write into their documents. */
export function commitActivitiesOf(data: Activity[]): CommitActivity[] {
  return data as CommitActivity[];
}

/** The message that the activity's template makes. */
export function messageOf({ displayMessageTemplate, displayMessageTemplateData }: CommitActivity): string {
  const { user, subject } = displayMessageTemplateData;
  const values = new Map([
    ["user", user.name],
    ["subject", subject],
  ]);
  return displayMessageTemplate.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => values.get(name) ?? placeholder);
}
