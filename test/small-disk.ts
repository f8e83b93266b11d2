import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registerCleanup } from "./cleanup.ts";

/** A file system of limited size in memory. */
export interface SmallDisk {
  /** A directory on it. */
  directory: string;
  /** Takes all the space that is left, until `free`. */
  fill(): void;
  free(): void;
}

function mount(path: string, megabytes: number): void {
  runInShell(`mount -t tmpfs -o size=${megabytes}m tmpfs "$0"`, path);
}

function unmount(path: string): void {
  runInShell('umount "$0"', path);
}

function runInShell(command: string, path: string): void {
  execFileSync("sh", ["-c", command, path], { stdio: "ignore" });
}

/** Returns why the tests cannot mount a small disk, or undefined if they can. */
export function whyNoSmallDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), "colloquy-mount-"));
  try {
    mount(path, 1);
    unmount(path);
    return undefined;
  } catch {
    return "mounting a tmpfs takes Linux and root";
  } finally {
    rmSync(path, { recursive: true });
  }
}

/** Mounts a small disk until the end of the test. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "colloquy-disk-"));
  mount(path, megabytes);
  registerCleanup(() => {
    unmount(path);
    rmSync(path, { recursive: true });
  });
  const directory = join(path, "data");
  mkdirSync(directory);
  const filler = join(path, "filler");
  return {
    directory,
    fill() {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    free: () => rmSync(filler),
  };
}
