import { expect, test } from "vitest";
import { describeFileFailure } from "./file-failure.ts";

function failure(code: string, syscall: string, path?: string): Error {
  return Object.assign(new Error(`${code}: failed, ${syscall}`), {
    code,
    syscall,
    ...(path !== undefined && { path }),
  });
}

test("a failed operation on a file is explained with its path", () => {
  expect(describeFileFailure(failure("EACCES", "open", "/backups/$&"))).toBe(
    "This user may not access /backups/$&. Change its owner or mode, or run the command as another user.",
  );
  expect(describeFileFailure(failure("EEXIST", "mkdir", "/data"))).toContain("/data is a file, but must be a folder.");
  expect(describeFileFailure(failure("ENOSPC", "write"))).toContain("The disk is full. Free some space.");
});

test("errors of sockets, and of a file that must be new, are not explained", () => {
  for (const error of [failure("ENOENT", "connect"), failure("EEXIST", "open", "/backup"), new Error("other")]) {
    expect(describeFileFailure(error)).toBeUndefined();
  }
});
