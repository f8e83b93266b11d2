import { readFile, realpath } from "node:fs/promises";
import { resolve } from "node:path";

interface Mount {
  /** Path inside of the file system that is mounted. */
  root: string;
  point: string;
  type: string;
}

/** Kinds of mounts that end with their container. */
const LOST: [name: string, isLost: (mount: Mount) => boolean][] = [
  ["the file system of the container", ({ type }) => /^(overlay|aufs|fuse\.fuse-overlayfs)$/.test(type)],
  ["a disk in memory", ({ type }) => /^(tmpfs|ramfs)$/.test(type)],
  ["an emptyDir of Kubernetes", ({ root }) => root.includes("/kubernetes.io~empty-dir/")],
  ["a volume without a name", ({ root }) => /\/volumes\/[0-9a-f]{64}\/_data(\/|$)/.test(root)],
];

/** Returns on which kind of volume a path is, if that ends with its container, as far as Linux tells. */
export async function findLostVolume(path: string): Promise<string | undefined> {
  const mounts = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  return findLostMount(mounts, await realpath(path).catch(() => resolve(path)));
}

/** Returns the kind of the mount of a path in the text of /proc/self/mountinfo (proc_pid_mountinfo(5)). */
export function findLostMount(mounts: string, path: string): string | undefined {
  let nearest: Mount | undefined;
  for (const line of mounts.split("\n")) {
    const [, , , root = "", point = "", ...more] = line.split(" ").map(decode);
    const type = more[more.indexOf("-") + 1] ?? "";
    const isAbove = point !== "" && `${path}/`.startsWith(point.endsWith("/") ? point : `${point}/`);
    // A later mount hides an earlier one at the same place.
    if (isAbove && point.length >= (nearest?.point.length ?? 0)) nearest = { root, point, type };
  }
  return LOST.find(([, isLost]) => nearest && isLost(nearest))?.[0];
}

/** Returns a field of a mount, in which some characters are octal numbers. */
function decode(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}
