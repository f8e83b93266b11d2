import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { addCommentWith, readAttachments, sendRaw, uploadFile } from "../../../test/files.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";

const service = await startTestService();
const FILES_OF_TENANT = 8;

interface Tenant {
  workspace: TestWorkspace;
  scope: { organizationId: string; documentId: string };
  name: string;
}

/** Uploads files and reads them back. Returns the ID of another one, which no record references yet. */
async function useFiles({ workspace, scope, name }: Tenant): Promise<string> {
  await Promise.all(
    Array.from({ length: FILES_OF_TENANT }, async (_, index) => {
      const bytes = Buffer.from(`${name} ${index} `.repeat(5_000));
      const fileId = await uploadFile(workspace, { ...scope, name: `${name}.txt` }, bytes);
      const annotationId = await addCommentWith(workspace, [{ fileId }], scope);
      const [attachment] = await readAttachments(workspace, annotationId, scope);
      expect(attachment).toMatchObject({ fileId, name: `${name}.txt` });
      expect((await sendRaw(attachment?.url ?? "", "GET")).body.equals(bytes)).toBe(true);
    }),
  );
  return uploadFile(workspace, scope);
}

test("four tenants that upload and download at once see only their own files", async () => {
  const [one, two] = [await service.workspace(), await service.workspace()];
  const tenants = [one, two].flatMap((workspace, index) =>
    ["acme", "initech"].map((organizationId): Tenant => {
      return { workspace, scope: { ...SCOPE, organizationId }, name: `${organizationId}-${index}` };
    }),
  );
  const fileIds = await Promise.all(tenants.map(useFiles));
  for (const [index, { workspace, scope }] of tenants.entries()) {
    for (const fileId of fileIds.filter((_, other) => other !== index)) {
      const commentAnnotations = [{ commentData: [{ from: { userId: "ada" }, attachments: [{ fileId }] }] }];
      const error = await workspace.error("/v2/commentannotations/add", { ...scope, commentAnnotations });
      expect(error).toMatchObject({ httpStatus: 404 });
    }
    await addCommentWith(workspace, [{ fileId: fileIds[index] }], scope);
  }
});
