import { asIdentifier } from "./client.ts";
import { authorOf } from "./commit-activity.ts";
import type { Commit } from "./git-log.ts";

export interface Person {
  userId: string;
  name: string;
  email: string;
  commits: number;
  /** How many files they changed in each top-level folder, and in which documents they worked. */
  folders: Map<string, number>;
  documents: Set<string>;
}

/** A commit, where it belongs, and whom it concerns. */
export interface Step {
  commit: Commit;
  person: Person;
  documentId: string;
  /** Those who have changed one of its files before, with the first such file. */
  concerned: Person[];
  sharedFile: string | undefined;
}

export interface Day {
  /** The busiest first. */
  people: Person[];
  documentIds: string[];
  /** The oldest first. */
  steps: Step[];
  /** The commit with the most files. */
  largest: Step | undefined;
}

/** Files that lie in no folder belong to this one. */
const TOP = "top level";

/** What the commits, the oldest first, say of the team that wrote them. */
export function readDay(commits: Commit[]): Day {
  const people = new Map<string, Person>();
  const changedBy = new Map<string, Set<Person>>();
  const steps = commits.map((commit): Step => {
    const author = authorOf(commit);
    const person = people.get(author.userId) ?? { ...author, commits: 0, folders: new Map(), documents: new Set() };
    people.set(person.userId, person);
    // What a merge brings in is the work of others.
    const files = commit.parents.length > 1 ? [] : commit.files.map(({ path }) => path);
    const documentId = documentOf(commit.files.map(({ path }) => path));
    person.commits += 1;
    person.documents.add(documentId);
    for (const path of files) count(person.folders, folderOf(path, 1));
    const known = files.filter((path) => [...(changedBy.get(path) ?? [])].some((other) => other !== person));
    const concerned = new Set(known.flatMap((path) => [...(changedBy.get(path) ?? [])]));
    concerned.delete(person);
    for (const path of files) changedBy.set(path, (changedBy.get(path) ?? new Set()).add(person));
    return { commit, person, documentId, concerned: [...concerned], sharedFile: known[0] };
  });
  return {
    people: [...people.values()].sort((one, other) => other.commits - one.commits),
    documentIds: [...new Set(steps.map(({ documentId }) => documentId))],
    steps,
    largest: steps.toSorted((one, other) => other.commit.files.length - one.commit.files.length)[0],
  };
}

/** Who changed most files in a top-level folder is of its group. */
export function groupsOf(people: Person[]): Map<string, Person[]> {
  const groups = new Map<string, Person[]>();
  for (const person of people) {
    const folder = mostCounted(person.folders);
    if (folder !== undefined) groups.set(folder, [...(groups.get(folder) ?? []), person]);
  }
  return groups;
}

/** The folder, two levels deep at most, that most of the files lie in. */
function documentOf(paths: string[]): string {
  const folders = new Map<string, number>();
  for (const path of paths) count(folders, folderOf(path, 2));
  return mostCounted(folders) ?? TOP;
}

function folderOf(path: string, levels: number): string {
  return asIdentifier(path.split("/").slice(0, -1).slice(0, levels).join("/"), TOP);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostCounted(counts: Map<string, number>): string | undefined {
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}
