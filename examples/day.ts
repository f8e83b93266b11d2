import { asIdentifier } from "./client.ts";
import { getAuthor } from "./commit-activity.ts";
import type { Commit } from "./git-log.ts";

/** An author of commits. */
export interface Author {
  userId: string;
  name: string;
  email: string;
  commits: number;
  /** Number of changed files by top-level folder. */
  folders: Map<string, number>;
  documentIds: Set<string>;
}

/** A commit with its place in the API's data. */
export interface Change {
  commit: Commit;
  author: Author;
  documentId: string;
  /** Other authors who have changed the same files before. */
  affected: Author[];
  /** First of those files. */
  sharedFile: string | undefined;
}

export interface Day {
  /** Busiest first. */
  authors: Author[];
  documentIds: string[];
  /** Oldest first. */
  changes: Change[];
  /** The change with the most files. */
  largest: Change | undefined;
}

/** Name of the document and group for files outside of folders. */
const TOP_LEVEL = "top level";

/** Returns the day of a team from its commits, oldest first. */
export function readDay(commits: Commit[]): Day {
  const authors = new Map<string, Author>();
  const authorsByFile = new Map<string, Set<Author>>();
  const changes = commits.map((commit): Change => {
    const { userId, name, email } = getAuthor(commit);
    const author = authors.get(userId) ?? newAuthor({ userId, name, email });
    authors.set(userId, author);
    // A merge brings in files that others have changed.
    const files = commit.parents.length > 1 ? [] : commit.files.map(({ path }) => path);
    const documentId = getDocument(commit.files.map(({ path }) => path));
    author.commits += 1;
    author.documentIds.add(documentId);
    for (const path of files) increment(author.folders, getFolder(path, 1));
    const shared = files.filter((path) => [...(authorsByFile.get(path) ?? [])].some((other) => other !== author));
    const affected = new Set(shared.flatMap((path) => [...(authorsByFile.get(path) ?? [])]));
    affected.delete(author);
    for (const path of files) authorsByFile.set(path, (authorsByFile.get(path) ?? new Set()).add(author));
    return { commit, author, documentId, affected: [...affected], sharedFile: shared[0] };
  });
  return {
    authors: [...authors.values()].sort((one, other) => other.commits - one.commits),
    documentIds: [...new Set(changes.map(({ documentId }) => documentId))],
    changes,
    largest: changes.toSorted((one, other) => other.commit.files.length - one.commit.files.length)[0],
  };
}

/** Groups the authors by the top-level folder in which they have changed most files. */
export function getGroups(authors: Author[]): Map<string, Author[]> {
  const groups = new Map<string, Author[]>();
  for (const author of authors) {
    const folder = mostFrequent(author.folders);
    if (folder !== undefined) groups.set(folder, [...(groups.get(folder) ?? []), author]);
  }
  return groups;
}

function newAuthor(user: { userId: string; name: string; email: string }): Author {
  return { ...user, commits: 0, folders: new Map(), documentIds: new Set() };
}

/** Returns the folder of most of the files, at most two levels deep. */
function getDocument(paths: string[]): string {
  const folders = new Map<string, number>();
  for (const path of paths) increment(folders, getFolder(path, 2));
  return mostFrequent(folders) ?? TOP_LEVEL;
}

function getFolder(path: string, levels: number): string {
  return asIdentifier(path.split("/").slice(0, -1).slice(0, levels).join("/"), TOP_LEVEL);
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFrequent(counts: Map<string, number>): string | undefined {
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}
