import type { Api } from "../src/operations.ts";
import { asIdentifier } from "./client.ts";
import type { Commit, FileChange } from "./git-log.ts";
import { fillTemplate } from "./template.ts";

type Activity = Api["/v2/activities/get"]["response"][number];
type NewActivity = Api["/v2/activities/add"]["request"]["activities"][number];

/** An activity that `toActivity` has made. */
export type CommitActivity = Activity & {
  entityData: { authoredAt: string; filesChanged: number; linesRemoved: number; linesAdded: number };
};

/** An address as most authors have. Git accepts any text, and the service only addresses. */
const ADDRESS = /^(?=.{1,254}$)[\w+-]{1,64}(?:\.[\w+-]+)*@[a-z\d]+(?:[.-][a-z\d]+)*\.[a-z]+$/i;

/** Returns the author of the commit as a user of the API. */
export function getAuthor({ name, email }: Commit): { userId: string; name: string; email: string } {
  const address = ADDRESS.test(email) ? email : "";
  return { userId: asIdentifier(email || name, "unknown"), name: name || email || "unknown", email: address };
}

export function getSubject({ message }: Commit): string {
  return message.split("\n")[0] || "(no message)";
}

/** Returns the activity of a commit. Drops files from `changes` until the activity's JSON has less than `maxBytes`. */
export function toActivity(commit: Commit, targetEntityId: string, maxBytes: number): NewActivity {
  const { hash, parents, authoredAt, message, files } = commit;
  const { email, ...user } = getAuthor(commit);
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
    displayMessageTemplateData: { user, subject: getSubject(commit), message },
  };
  for (let count = files.length; ; count = Math.floor(count / 2)) {
    const complete = { ...activity, changes: getChanges(files.slice(0, count)) };
    if (count === 0 || Buffer.byteLength(JSON.stringify(complete)) < maxBytes) return complete;
  }
}

/** Returns the line counts by path. A file may be named `__proto__`, which fromEntries makes an ordinary key. */
function getChanges(files: FileChange[]): Record<string, { from: number | null; to: number | null }> {
  return Object.fromEntries(files.map(({ path, from, to }) => [path, { from, to }]));
}

/** Casts activities of documents that only `example:git-history` writes to. */
export function getCommitActivities(data: Activity[]): CommitActivity[] {
  return data as CommitActivity[];
}

/** Returns the message of an activity with its template filled in. */
export function getMessage({ displayMessageTemplate, displayMessageTemplateData }: Activity): string {
  return fillTemplate(displayMessageTemplate, displayMessageTemplateData);
}
