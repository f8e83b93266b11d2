/**
 * Records every commit of a git repository as an activity, then prints the feed page by page, the newest first:
 *   npm run example:git-history -- <repository> [--limit <commits>] [--organization <id>] …
 * It needs a running service, and with the files that it imports nothing but Node and git; `--help` says the rest. A
 * second run writes the same activities over the first ones: each has its commit's hash as id.
 */
import type { Api } from "../src/operations.ts";
import { asIdentifier, call, type Service } from "./client.ts";
import { type CommandLine, runExample } from "./command-line.ts";
import { type CommitActivity, commitActivitiesOf, messageOf, toActivity } from "./commit-activity.ts";
import { type Commit, readBranch, readCommits } from "./git-log.ts";
import { clean, counted } from "./terminal.ts";

/** What one call of the API may hold. */
const MAX_ACTIVITIES = 500;
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const PAGE_SIZE = 20;

interface Scope {
  organizationId: string;
  documentId: string;
}

async function recordAndPrint(given: CommandLine): Promise<void> {
  const { service, repository, name, limit, organizationId = "git" } = given;
  const scope = { organizationId, documentId: name };
  const branch = asIdentifier(await readBranch(repository), "HEAD");
  const begun = performance.now();
  const { commits, calls } = await recordCommits(service, scope, branch, readCommits(repository, limit));
  console.log(`${counted(commits, "commit")} recorded in ${counted(calls, "call")}, ${secondsSince(begun)} s.\n`);
  await printFeed(service, scope);
}

/** Many commits a call, one call after the other: the feed's order is the order of writing. */
async function recordCommits(
  service: Service,
  scope: Scope,
  branch: string,
  commits: AsyncIterable<Commit>,
): Promise<{ commits: number; calls: number }> {
  const room = MAX_BODY_BYTES - Buffer.byteLength(JSON.stringify({ data: { ...scope, activities: [] } }));
  const done = { commits: 0, calls: 0 };
  let batch: Api["/v2/activities/add"]["request"]["activities"] = [];
  let bytes = 0;
  async function send(): Promise<void> {
    if (batch.length === 0) return;
    await call(service, "/v2/activities/add", { ...scope, activities: batch });
    done.commits += batch.length;
    done.calls += 1;
    batch = [];
    bytes = 0;
  }
  for await (const commit of commits) {
    const activity = toActivity(commit, branch, room);
    const size = Buffer.byteLength(JSON.stringify(activity)) + ",".length;
    if (batch.length === MAX_ACTIVITIES || bytes + size > room) await send();
    batch.push(activity);
    bytes += size;
  }
  await send();
  return done;
}

async function printFeed(service: Service, scope: Scope): Promise<void> {
  const begun = performance.now();
  const people = new Set<string>();
  let pages = 0;
  let read = 0;
  let pageToken: string | undefined;
  do {
    const request = { ...scope, pageSize: PAGE_SIZE, ...(pageToken && { pageToken }) };
    const page = await call(service, "/v2/activities/get", request);
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
  const activities = counted(read, "activity", "activities");
  const feed = `${counted(pages, "page")}, ${activities} of ${counted(people.size, "person", "people")}`;
  console.log(`\n${feed}, ${secondsSince(begun)} s.`);
}

function feedLine(activity: CommitActivity): string {
  const { authoredAt, filesChanged, linesRemoved, linesAdded } = activity.entityData;
  const files = `${counted(filesChanged, "file")}, -${linesRemoved} +${linesAdded}`;
  return clean(`${authoredAt.slice(0, 10)}  ${activity.id.slice(0, 9)}  ${messageOf(activity)} (${files})`);
}

function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}

await runExample("example:git-history", recordAndPrint);
