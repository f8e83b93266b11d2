/**
 * Records every commit of a git repository as an activity, then prints the newest two pages of the feed:
 *   npm run example:git-history -- <repository> [options]
 * It needs a running service and git; `--help` lists the options. Each activity has the time at which its commit was
 * made. A second run overwrites the activities of the first, since the ID of each is its commit's hash.
 */
import { basename, resolve } from "node:path";
import type { Api } from "../src/operations.ts";
import { asIdentifier, call, type Service } from "./client.ts";
import { type CommandLine, runExample } from "./command-line.ts";
import { type CommitActivity, getCommitActivities, getMessage, toActivity } from "./commit-activity.ts";
import { type Commit, readBranch, readCommits } from "./git-log.ts";
import { formatCount, sanitize } from "./terminal.ts";

/** Maximum number of activities in one call of the API. */
const MAX_ACTIVITIES = 500;
/** Below the limits of a call: 2 MiB and 100,000 values, of which a changed file has three in 32 bytes or more. */
const MAX_BODY_BYTES = 1024 * 1024;
const TIMESTAMP_BYTES = `,"timestamp":${Date.now()}`.length;
const PAGE_SIZE = 20;
const PRINTED_PAGES = 2;

interface Scope {
  organizationId: string;
  documentId: string;
}

async function recordAndPrint({ service, repository, limit, organizationId = "git" }: CommandLine): Promise<void> {
  if (repository === undefined) throw new Error("Give the path of a git repository; --help lists the options.");
  const scope = { organizationId, documentId: asIdentifier(basename(resolve(repository), ".git"), "repository") };
  const branch = asIdentifier(await readBranch(repository), "HEAD");
  const startedAt = performance.now();
  const { commits, calls } = await recordCommits(service, scope, branch, readCommits(repository, limit));
  const seconds = secondsSince(startedAt);
  console.log(`Recorded ${formatCount(commits, "commit")} in ${formatCount(calls, "call")}, ${seconds} s.\n`);
  await printFeed(service, scope);
  const filters = new URLSearchParams({ organization: scope.organizationId, document: scope.documentId });
  const address = await consoleAddress(service);
  console.log(`\nThe feed in the console: ${address}/activities?${filters}`);
  console.log(`The chart of ten years: ${address}/overview?days=3653`);
  console.log("`npm run colloquy -- console` prints a link that signs you in.");
}

/** Sends batches of commits one after another, since commits of the same second are ordered by the time of writing. */
async function recordCommits(
  service: Service,
  scope: Scope,
  branch: string,
  commits: AsyncIterable<Commit>,
): Promise<{ commits: number; calls: number }> {
  const maxBytes = MAX_BODY_BYTES - Buffer.byteLength(JSON.stringify({ data: { ...scope, activities: [] } }));
  const recorded = { commits: 0, calls: 0 };
  let batch: Api["/v2/activities/add"]["request"]["activities"] = [];
  let bytes = 0;
  async function send(): Promise<void> {
    if (batch.length === 0) return;
    await call(service, "/v2/activities/add", { ...scope, activities: batch });
    recorded.commits += batch.length;
    recorded.calls += 1;
    batch = [];
    bytes = 0;
  }
  for await (const commit of commits) {
    const activity = { ...toActivity(commit, branch, maxBytes - TIMESTAMP_BYTES), timestamp: getTime(commit) };
    const size = Buffer.byteLength(JSON.stringify(activity)) + ",".length;
    if (batch.length === MAX_ACTIVITIES || bytes + size > maxBytes) await send();
    batch.push(activity);
    bytes += size;
  }
  await send();
  return recorded;
}

/** Returns the time of a commit. Some histories have times before 1970 or in the future, which the service rejects. */
function getTime({ authoredAt }: Commit): number {
  return Math.min(Math.max(Date.parse(authoredAt), 0), Date.now());
}

async function printFeed(service: Service, scope: Scope): Promise<void> {
  let printed = 0;
  let pageToken: string | undefined;
  for (let page = 1; page <= PRINTED_PAGES; page += 1) {
    const request = { ...scope, pageSize: PAGE_SIZE, ...(pageToken && { pageToken }) };
    const result = await call(service, "/v2/activities/get", request);
    const activities = getCommitActivities(result.data);
    console.log(`Page ${page}, activities ${printed + 1} to ${printed + activities.length}, newest first`);
    for (const activity of activities) console.log(`  ${feedLine(activity)}`);
    printed += activities.length;
    pageToken = result.pageToken;
    if (pageToken === undefined) return;
  }
  console.log("More pages follow.");
}

function feedLine(activity: CommitActivity): string {
  const { authoredAt, filesChanged, linesRemoved, linesAdded } = activity.entityData;
  const files = `${formatCount(filesChanged, "file")}, -${linesRemoved} +${linesAdded}`;
  return sanitize(`${authoredAt.slice(0, 10)}  ${activity.id.slice(0, 9)}  ${getMessage(activity)} (${files})`);
}

/** Returns the address of the workspace in the console. */
async function consoleAddress(service: Service): Promise<string> {
  const [workspace] = (await call(service, "/v2/workspaces/get", {})).data;
  return `${service.url}/console/${workspace?.id ?? ""}`;
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

await runExample("example:git-history", "<repository>", recordAndPrint);
