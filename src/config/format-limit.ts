const KIB = 1024;
const MIB = 1024 * KIB;

/** Returns a number with commas, such as `10,000`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** Returns a size in KiB or MiB, such as `64 KiB`. */
export function formatBytes(bytes: number): string {
  return bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`;
}
