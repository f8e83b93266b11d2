/**
 * Plays a day of a small team through the API, on the newest commits of a git repository, then prints what each person
 * would see:
 *   npm run example:team-day -- <repository> [--limit <commits>] [--organization <id>] …
 * Authors become users, in the group of the top-level folder where they changed most; folders become documents,
 * commits their activities, and who has changed the same files is notified. A second run writes over the first.
 */
import { asIdentifier } from "./client.ts";
import { type CommandLine, runExample } from "./command-line.ts";
import { type Commit, readBranch, readCommits } from "./git-log.ts";
import { gatherTeam, playDay, type Quiet, Team, writeNotes } from "./play-day.ts";
import { printNotes, printPerson } from "./print-day.ts";
import { type Day, readDay } from "./team.ts";
import { counted, oneLine, rule } from "./terminal.ts";

const COMMITS_OF_A_DAY = 40;
/** As many users as one call takes. */
const MAX_COMMITS = 500;
const SHOWN_PEOPLE = 6;

async function playAndPrint(given: CommandLine): Promise<void> {
  const { service, repository, name, limit = COMMITS_OF_A_DAY, organizationId } = given;
  if (limit > MAX_COMMITS) throw new Error(`--limit may be ${MAX_COMMITS} at most: it is one day.`);
  await readBranch(repository);
  const commits: Commit[] = [];
  for await (const commit of readCommits(repository, limit)) commits.push(commit);
  const day = readDay(commits);
  const quiet = findQuiet(day);

  const team = new Team(service, organizationId ?? asIdentifier(`team ${name}`, "team"));
  const begun = performance.now();
  await gatherTeam(team, name, day, quiet);
  const places = await playDay(team, day);
  await writeNotes(team, name, day);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);

  const people = counted(day.people.length, "person", "people");
  const documents = counted(day.documentIds.length, "document");
  console.log(oneLine(`A day of ${name}: ${people}, ${counted(commits.length, "commit")}, ${documents}`));
  console.log(`played in ${team.calls} calls, ${seconds} s\n${rule("═")}`);
  for (const person of day.people.slice(0, SHOWN_PEOPLE)) {
    await printPerson(team, person.userId, places.get(person) ?? "", quiet.documentId);
  }
  const more = day.people.length - SHOWN_PEOPLE;
  if (more > 0) console.log(`\n… and ${counted(more, "person", "people")} more`);
  await printNotes(team);
}

/** The second busiest, who wants to hear nothing of the document in which the largest change was made. */
function findQuiet({ people, largest }: Day): Quiet {
  const person = people[1] ?? people[0];
  if (!person || !largest) throw new Error("There are no commits to make a day of.");
  return { person, documentId: largest.documentId };
}

await runExample("example:team-day", playAndPrint);
