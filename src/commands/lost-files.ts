import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { findLostVolume } from "../config/lost-volume.ts";

/** Returns what is wrong with the place of files that users upload, if it ends with the container of the service. */
export async function findLostFiles({
  files,
  dataDir,
}: Pick<Config, "files" | "dataDir">): Promise<{ finding: string; remedy: string } | undefined> {
  const folder = join(dataDir, "files");
  const volume = files ? undefined : await findLostVolume(folder);
  if (volume === undefined) return undefined;
  return {
    finding: `${folder} is on ${volume}: files that users upload are lost when the container or machine ends.`,
    remedy: "Mount a volume at DATA_DIR, or set FILES_URL.",
  };
}
