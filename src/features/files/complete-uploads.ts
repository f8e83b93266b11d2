import type { Context } from "../../contract/operation.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { lockUpload, markUploaded } from "./file-queries.ts";
import { getFileIds, type WithAttachments } from "./reference-files.ts";

/**
 * Makes the uploads of files that a request references complete, if clients send them to another host. Runs before the
 * transaction of the request, because it waits for that host. Locks the row of each file meanwhile: what is uploaded
 * after the first completion changes nothing.
 */
export async function completeUploads(
  { database, workspace, files }: Pick<Context, "database" | "workspace" | "files">,
  organizationId: string,
  records: readonly (WithAttachments & { photoFileId?: string })[],
): Promise<void> {
  const { completeUpload } = files;
  if (!completeUpload) return;
  const ids = records.flatMap((record) => [...getFileIds(record), ...(record.photoFileId ? [record.photoFileId] : [])]);
  for (const fileId of new Set(ids)) {
    await inOrganization(database, workspace, organizationId, async (scope) => {
      const upload = await lockUpload(scope, fileId);
      if (!upload) return;
      const ref = { workspaceId: workspace.id, organizationKey: scope.key, fileId };
      if (await completeUpload({ ...ref, ...upload })) await markUploaded(scope, fileId, upload.checksum);
    });
  }
}
