/**
 * Writes the day of a small team through the API, then prints what each user would see:
 *   npm run example:team-day -- [<repository>] [options]
 * The day is that of an invented team (team-day.json), with all else that its workspace has, or the newest commits of a
 * git repository. Authors become users, in the group of the top-level folder where they changed most; folders become
 * documents, commits activities; authors of the same files are notified. A second run overwrites the data of the first.
 */
import { basename, resolve } from "node:path";
import { asIdentifier } from "./client.ts";
import { type CommandLine, runExample } from "./command-line.ts";
import { type Day, readDay } from "./day.ts";
import { type Commit, readBranch, readCommits } from "./git-log.ts";
import { printNotes, printUser } from "./print-day.ts";
import inventedDay from "./team-day.json" with { type: "json" };
import { formatCount, rule, truncate } from "./terminal.ts";
import { createTeam, type Muted, OrganizationClient, writeChanges, writeNotes } from "./write-day.ts";
import { writeWorkspace } from "./write-workspace.ts";

const COMMITS_PER_DAY = 40;
/** Maximum number of users in one call. */
const MAX_COMMITS = 500;
const PRINTED_USERS = 6;

async function writeAndPrint({ service, repository, limit, organizationId }: CommandLine): Promise<void> {
  const { name, commits } = await readHistory(repository, limit);
  const day = readDay(commits);
  const muted = chooseMuted(day);

  const client = new OrganizationClient(service, organizationId ?? asIdentifier(`team ${name}`, "team"));
  const startedAt = performance.now();
  await createTeam(client, name, day, muted);
  const locations = await writeChanges(client, day);
  await writeNotes(client, name, day);
  if (repository === undefined) await writeWorkspace(client, day);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);

  const users = formatCount(day.authors.length, "user");
  const documents = formatCount(day.documentIds.length, "document");
  console.log(truncate(`A day of ${name}: ${users}, ${formatCount(commits.length, "commit")}, ${documents}`));
  console.log(truncate(`Written in ${client.calls} calls, ${seconds} s, to organization "${client.organizationId}"`));
  console.log(rule("═"));
  for (const author of day.authors.slice(0, PRINTED_USERS)) {
    const documentId = locations.get(author) ?? "";
    await printUser(client, { userId: author.userId, documentId, mutedDocumentId: muted.documentId });
  }
  const more = day.authors.length - PRINTED_USERS;
  if (more > 0) console.log(`\n… and ${formatCount(more, "more user")}`);
  await printNotes(client);
}

/** Returns the commits, oldest first, and the name of what they are about. */
async function readHistory(
  repository: string | undefined,
  limit = COMMITS_PER_DAY,
): Promise<{ name: string; commits: Commit[] }> {
  if (limit > MAX_COMMITS) throw new Error(`--limit can be at most ${MAX_COMMITS} here.`);
  if (repository === undefined) return { ...inventedDay, commits: inventedDay.commits.slice(-limit) };
  await readBranch(repository);
  const commits: Commit[] = [];
  for await (const commit of readCommits(repository, limit)) commits.push(commit);
  return { name: asIdentifier(basename(resolve(repository), ".git"), "repository"), commits };
}

/** Chooses the second busiest author and the document with the largest change, to show what preferences do. */
function chooseMuted({ authors, largest }: Day): Muted {
  const author = authors[1] ?? authors[0];
  if (!author || !largest) throw new Error("There are no commits.");
  return { author, documentId: largest.documentId };
}

await runExample("example:team-day", "[<repository>]", writeAndPrint);
