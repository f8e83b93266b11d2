/** What is wrong with a file or folder, and what to do, by the code of the error. `{path}` is its path. */
const EXPLANATIONS = new Map([
  ["EACCES", "This user may not access {path}. Change its owner or mode, or run the command as another user."],
  ["EPERM", "This user may not change {path}. Change its owner or mode, or run the command as another user."],
  ["ENOENT", "There is no file or folder {path}."],
  ["ENOTDIR", "{path} does not exist, because a part of its path is a file and not a folder."],
  ["EEXIST", "{path} is a file, but must be a folder. Move it away or name another folder."],
  ["EISDIR", "{path} is a folder, but must be a file."],
  ["EROFS", "{path} is on a file system that is read-only."],
]);

/** Returns a sentence about a failed operation on a file; undefined for any other error. */
export function describeFileError(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && "syscall" in error)) return undefined;
  if (error.code === "ENOSPC") return `The disk is full. Free some space. (${error.message})`;
  if (!("path" in error && typeof error.path === "string")) return undefined;
  // open() gives EEXIST for a file that must be new.
  if (error.code === "EEXIST" && error.syscall !== "mkdir") return undefined;
  const { path } = error;
  return EXPLANATIONS.get(String(error.code))?.replace("{path}", () => path);
}
