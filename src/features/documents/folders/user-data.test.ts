import { expect, test } from "vitest";
import { addFolders, folderNamed } from "../../../../test/folders.ts";
import { startOwnTestService } from "../../../../test/harness.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../../test/user-data.ts";

const service = await startOwnTestService();

test("the names of folders lose the addresses of deleted users, and folders stay", async () => {
  const workspace = await service.workspace();
  const email = "folder-owner@folders.example";
  await workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: "owner-of-folders", email }] });
  await addFolders(workspace, [
    { folderId: "a", folderName: `Drafts of ${email}` },
    { folderId: "b", folderName: email, parentFolderId: "a" },
    { folderId: "c", folderName: "Offers" },
  ]);
  await deleteUserDataAndWait(workspace, ["owner-of-folders"]);
  expect((await folderNamed(workspace, "a"))?.folderName).toBe("Drafts of [deleted]");
  expect((await folderNamed(workspace, "b"))?.folderName).toBe("[deleted]");
  expect((await folderNamed(workspace, "c"))?.folderName).toBe("Offers");
  expect(await findRowsContaining(service.database, [email])).toEqual([]);
});
