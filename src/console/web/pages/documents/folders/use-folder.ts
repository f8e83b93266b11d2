import type { Folder } from "../../../api/records.ts";
import { type ApiQuery, useApiQuery } from "../../../api/use-api.ts";

const PATH = "/v2/organizations/folders/get";

/** Reads the folders of the top level. Each has its `subFolders`, which show whether it can be expanded. */
export function useTopFolders(organizationId: string): ApiQuery<Folder[]> {
  return useApiQuery(PATH, { organizationId, maxDepth: 1 });
}

/** Reads a folder with the folders in it, each of which has its `subFolders`. */
export function useFolder(organizationId: string, folderId: string, { isEnabled = true } = {}): ApiQuery<Folder[]> {
  return useApiQuery(PATH, { organizationId, folderId, maxDepth: 2 }, { isEnabled });
}
