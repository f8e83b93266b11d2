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
  /** Changed files; for a merge, those that differ from its first parent. */
  files: FileChange[];
}

export interface FileChange {
  path: string;
  /** Removed and added lines; null for a binary file. */
  from: number | null;
  to: number | null;
}

const MAX_MESSAGE_LENGTH = 100_000;
const FIELDS = ["%H", "%P", "%aN", "%aE", "%aI", "%B"];
const OPTIONS = ["--reverse", "-z", "--numstat", "--no-renames", "--diff-merges=first-parent", "--no-show-signature"];

/** Yields the commits of the current branch, oldest first; with a limit, only the newest. Streams git's output. */
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

/** Returns the name of the current branch, or `HEAD` if there is none. Throws if it has no commits. */
export async function readBranch(repository: string): Promise<string> {
  await run(repository, ["rev-parse", "--git-dir"]);
  await run(repository, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).catch((cause: unknown) => {
    throw new Error(`${repository} has no commits on the current branch.`, { cause });
  });
  return (await run(repository, ["rev-parse", "--abbrev-ref", "HEAD"])).trim();
}

async function run(repository: string, args: string[]): Promise<string> {
  const git = startGit(repository, args);
  const [output] = await Promise.all([text(git.stdout), git.finished]);
  return output;
}

function toCommit([hash = "", parents = "", name = "", email = "", authoredAt = "", message = ""]: string[]): Commit {
  const truncated = message.trim().slice(0, MAX_MESSAGE_LENGTH);
  return { hash, parents: parents.split(" ").filter(Boolean), name, email, authoredAt, message: truncated, files: [] };
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

/** Decodes UTF-8, or else Latin-1: the usual encoding of old histories, which also keeps different names different. */
function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
}

function startGit(repository: string, args: string[]): { stdout: Readable; finished: Promise<void>; stop(): void } {
  const child = spawn("git", ["-C", repository, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close").catch((cause: unknown) => {
    throw new Error("git cannot be run. Install it or add it to PATH.", { cause });
  });
  const finished = Promise.all([text(child.stderr), closed]).then(([message, [code]]) => {
    if (code !== 0) throw new Error(`git ${args[0]}: ${message.trim() || `exit code ${code}`}`);
  });
  // The reader awaits this promise at the end of the output. Until then a rejection must not count as unhandled.
  finished.catch(() => {});
  return { stdout: child.stdout, finished, stop: () => void child.kill() };
}
