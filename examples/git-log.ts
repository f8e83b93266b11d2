import { isUtf8 } from "node:buffer";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export interface Commit {
  hash: string;
  parents: string[];
  name: string;
  email: string;
  /** ISO 8601, in the author's time zone. */
  authoredAt: string;
  message: string;
  /** Of a merge: what it brought into the branch. */
  files: FileChange[];
}

export interface FileChange {
  path: string;
  /** Lines that the commit took away and lines that it put in; null in a binary file. */
  from: number | null;
  to: number | null;
}

/** Beyond this it is a pasted file, not a message. */
const MAX_MESSAGE_LENGTH = 100_000;
const FIELDS = ["%H", "%P", "%aN", "%aE", "%aI", "%B"];
const OPTIONS = ["--reverse", "-z", "--numstat", "--no-renames", "--diff-merges=first-parent", "--no-show-signature"];

/** Of the branch that is checked out, the oldest first; with a limit the newest of them. Holds one at a time. */
export async function* readCommits(repository: string, limit: number | undefined): AsyncGenerator<Commit> {
  const count = limit === undefined ? [] : [`--max-count=${limit}`];
  const git = startGit(repository, ["log", ...OPTIONS, `--format=${FIELDS.join("%x00")}`, ...count]);
  try {
    let fields: string[] = [];
    let commit: Commit | undefined;
    for await (const part of splitAtNul(git.stdout)) {
      const [, added, removed, path] = /^\n?(\d+|-)\t(\d+|-)\t(.+)$/s.exec(part) ?? [];
      if (commit && path !== undefined) {
        commit.files.push({ path, from: lineCount(removed), to: lineCount(added) });
        continue;
      }
      if (commit) yield commit;
      commit = undefined;
      fields.push(part);
      if (fields.length === FIELDS.length) {
        commit = toCommit(fields);
        fields = [];
      }
    }
    await git.finished;
    if (commit) yield commit;
  } finally {
    git.stop();
  }
}

/** The branch that is checked out, or `HEAD`. Throws where there is no commit on it. */
export async function readBranch(repository: string): Promise<string> {
  await run(repository, ["rev-parse", "--git-dir"]);
  await run(repository, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).catch((cause: unknown) => {
    throw new Error(`${repository} has no commits on the branch that is checked out; commit something.`, { cause });
  });
  return (await run(repository, ["rev-parse", "--abbrev-ref", "HEAD"])).trim();
}

async function run(repository: string, args: string[]): Promise<string> {
  const git = startGit(repository, args);
  const [output] = await Promise.all([text(git.stdout), git.finished]);
  return output;
}

function toCommit([hash = "", parents = "", name = "", email = "", authoredAt = "", message = ""]: string[]): Commit {
  const kept = message.trim().slice(0, MAX_MESSAGE_LENGTH);
  return { hash, parents: parents.split(" ").filter(Boolean), name, email, authoredAt, message: kept, files: [] };
}

function lineCount(digits: string | undefined): number | null {
  return digits === undefined || digits === "-" ? null : Number(digits);
}

async function* splitAtNul(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      yield decode(Buffer.concat([...rest, chunk.subarray(start, end)]));
      rest = [];
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) yield decode(last);
}

/** What is not UTF-8 in an old history is nearly always Latin-1, and no two file names become one by it. */
function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
}

function startGit(repository: string, args: string[]): { stdout: Readable; finished: Promise<void>; stop(): void } {
  const child = spawn("git", ["-C", repository, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close").catch((cause: unknown) => {
    throw new Error("git cannot be run; install it, or put it into PATH.", { cause });
  });
  const finished = Promise.all([text(child.stderr), closed]).then(([complaint, [code]]) => {
    if (code !== 0) throw new Error(`git ${args[0]}: ${complaint.trim() || `it ended with ${code}`}`);
  });
  // Whoever reads the output asks for this at its end; until then it is nobody's failure.
  finished.catch(() => {});
  return { stdout: child.stdout, finished, stop: () => void child.kill() };
}
