/**
 * Records every commit of a git repository as an activity, then prints the feed page by page, the newest first:
 *   npm run example:git-history -- <repository> [--limit <commits>] [--organization <id>]
 *     [--url <address>] [--api-key <key>] [--auth-token <token>]
 * It needs a running service, and with client.ts and git-log.ts beside it nothing but Node. A second run writes the
 * same activities over the first ones: each has its commit's hash as id.
 */
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { call, findCredentials, type Service } from "./client.ts";
import { type Commit, type FileChange, readBranch, readCommits } from "./git-log.ts";

/** What one call of the API may hold. */
const MAX_ACTIVITIES = 500;
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const PAGE_SIZE = 20;

interface Scope {
  organizationId: string;
  documentId: string;
}

/** What this program writes of a commit, as far as it prints it. */
interface CommitActivity {
  id: string;
  actionUser: { userId: string };
  displayMessageTemplate: string;
  displayMessageTemplateData: { user: { name: string }; subject: string };
  entityData: { authoredAt: string; filesChanged: number; linesRemoved: number; linesAdded: number };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: "string", default: `http://127.0.0.1:${process.env.PORT || 8080}` },
      "api-key": { type: "string" },
      "auth-token": { type: "string" },
      organization: { type: "string", default: "git" },
      limit: { type: "string" },
    },
  });
  const [path] = positionals;
  const { url, "api-key": apiKey, "auth-token": authToken, organization, limit } = values;
  if (path === undefined) throw new Error("Name a repository: npm run example:git-history -- <path>");
  if (limit !== undefined && !/^[1-9]\d*$/.test(limit)) throw new Error("--limit must be a number of commits.");
  const credentials = apiKey && authToken ? { apiKey, authToken } : await findCredentials();
  const service = { url: url.replace(/\/+$/, ""), ...credentials };
  const branch = asIdentifier(await readBranch(path), "HEAD");
  const scope = {
    organizationId: organization,
    documentId: asIdentifier(basename(resolve(path), ".git"), "repository"),
  };

  const begun = performance.now();
  const { commits, calls } = await recordCommits(service, scope, branch, readCommits(path, limit));
  console.log(`${commits} commits recorded in ${calls} calls, ${secondsSince(begun)} s.\n`);
  await printFeed(service, scope);
}

/** Many commits a call, one call after the other: the feed's order is the order of writing. */
async function recordCommits(
  service: Service,
  scope: Scope,
  branch: string,
  commits: AsyncIterable<Commit>,
): Promise<{ commits: number; calls: number }> {
  const tail = "]}}";
  const head = JSON.stringify({ data: { ...scope, activities: [] } }).slice(0, -tail.length);
  const room = MAX_BODY_BYTES - Buffer.byteLength(head + tail);
  const done = { commits: 0, calls: 0 };
  let batch: string[] = [];
  let bytes = 0;
  async function send(): Promise<void> {
    if (batch.length === 0) return;
    await call(service, "/v2/activities/add", head + batch.join(",") + tail);
    done.commits += batch.length;
    done.calls += 1;
    batch = [];
    bytes = 0;
  }
  for await (const commit of commits) {
    const activity = toActivity(commit, branch, room);
    const size = Buffer.byteLength(activity) + ",".length;
    if (batch.length === MAX_ACTIVITIES || bytes + size > room) await send();
    batch.push(activity);
    bytes += size;
  }
  await send();
  return done;
}

/** As JSON; where that would not fit into `room` bytes, `changes` has the first files only. */
function toActivity(commit: Commit, branch: string, room: number): string {
  const { hash, parents, name, email, authoredAt, message, files } = commit;
  const user = { userId: asIdentifier(email || name, "unknown"), name: name || email || "unknown" };
  const activity = {
    id: hash,
    featureType: "custom",
    actionType: parents.length > 1 ? "commit.merge" : "commit.add",
    actionUser: { ...user, email },
    targetEntityId: branch,
    entityData: {
      authoredAt,
      parents,
      filesChanged: files.length,
      linesRemoved: files.reduce((lines, { from }) => lines + (from ?? 0), 0),
      linesAdded: files.reduce((lines, { to }) => lines + (to ?? 0), 0),
    },
    displayMessageTemplate: "{{user}}: {{subject}}",
    displayMessageTemplateData: { user, subject: message.split("\n")[0] || "(no message)", message },
  };
  for (let listed = files.length; ; listed = Math.floor(listed / 2)) {
    const json = JSON.stringify({ ...activity, changes: changesOf(files.slice(0, listed)) });
    if (listed === 0 || Buffer.byteLength(json) < room) return json;
  }
}

/** By fromEntries, which makes `__proto__` a key like any other: a file may have that name. */
function changesOf(files: FileChange[]): Record<string, { from: number | null; to: number | null }> {
  return Object.fromEntries(files.map(({ path, from, to }) => [path, { from, to }]));
}

/** What the API takes as an id: 1 to 256 characters of well-formed Unicode, none of them a control character. */
function asIdentifier(given: string, fallback: string): string {
  return (
    given
      .replace(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, 256)
      .toWellFormed() || fallback
  );
}

async function printFeed(service: Service, scope: Scope): Promise<void> {
  const begun = performance.now();
  const people = new Set<string>();
  let pages = 0;
  let read = 0;
  let pageToken: string | undefined;
  do {
    const request = { ...scope, pageSize: PAGE_SIZE, ...(pageToken && { pageToken }) };
    const page = await call(service, "/v2/activities/get", JSON.stringify({ data: request }));
    const activities = commitActivitiesOf(page.data);
    pages += 1;
    console.log(`Page ${pages}, activities ${read + 1} to ${read + activities.length}`);
    for (const activity of activities) {
      console.log(`  ${feedLine(activity)}`);
      people.add(activity.actionUser.userId);
    }
    read += activities.length;
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  console.log(`\n${pages} pages, ${read} activities of ${people.size} people, ${secondsSince(begun)} s.`);
}

/** Holds because this program alone writes into the document. */
function commitActivitiesOf(data: unknown): CommitActivity[] {
  return data as CommitActivity[];
}

function feedLine({ id, displayMessageTemplate, displayMessageTemplateData, entityData }: CommitActivity): string {
  const { user, subject } = displayMessageTemplateData;
  const values = new Map([
    ["user", user.name],
    ["subject", subject],
  ]);
  const message = displayMessageTemplate.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => {
    return values.get(name) ?? placeholder;
  });
  const { authoredAt, filesChanged, linesRemoved, linesAdded } = entityData;
  const files = `${filesChanged} ${filesChanged === 1 ? "file" : "files"}, -${linesRemoved} +${linesAdded}`;
  // No name or message may move the cursor of the reader's terminal.
  return `${authoredAt.slice(0, 10)}  ${id.slice(0, 9)}  ${message} (${files})`.replace(/\p{Cc}/gu, " ");
}

function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}

// `| head` reads no further; that is no failure.
process.stdout.on("error", () => process.exit());
try {
  await main();
} catch (error) {
  console.error(`git-history: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
