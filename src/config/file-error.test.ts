import { expect, test } from "vitest";
import { describeFileError } from "./file-error.ts";

function createError(code: string, syscall: string, path?: string): Error {
  return Object.assign(new Error(`${code}: failed, ${syscall}`), {
    code,
    syscall,
    ...(path !== undefined && { path }),
  });
}

test("a failed operation on a file is explained with its path", () => {
  expect(describeFileError(createError("EACCES", "open", "/backups/$&"))).toBe(
    "This user may not access /backups/$&. Change its owner or mode, or run the command as another user.",
  );
  expect(describeFileError(createError("EEXIST", "mkdir", "/data"))).toContain(
    "/data is a file, but must be a folder.",
  );
  expect(describeFileError(createError("ENOSPC", "write"))).toContain("The disk is full. Free some space.");
});

test("errors of sockets, and of a file that must be new, are not explained", () => {
  for (const error of [
    createError("ENOENT", "connect"),
    createError("EEXIST", "open", "/backup"),
    new Error("other"),
  ]) {
    expect(describeFileError(error)).toBeUndefined();
  }
});
