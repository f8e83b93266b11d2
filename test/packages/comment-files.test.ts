import { afterEach, expect, test, vi } from "vitest";
import { commentFilesStore, findUsers } from "../../packages/client/src/stores/index.ts";
import { uploadFile } from "../../packages/client/src/upload.ts";
import { addAnnotations, comment } from "../comments.ts";
import { SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { openPage } from "./store-page.ts";

const service = await startTestService();
const { organizationId, documentId } = SCOPE;
const READ = "/v2/commentannotations/comments/get";
const MINUTE = 60_000;

afterEach(() => void vi.useRealTimers());

function letPass(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

test("the URLs of a comment's files are read again once in five minutes, and after a failure", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ from: { userId: "grace" } })] }]);
  const { session, replace } = await openPage(service.address, workspace);
  const file = await uploadFile(session.client, new Blob(["The plan"], { type: "text/plain" }), SCOPE);
  const commentData = [comment({ commentId: 7, attachments: [{ fileId: file.fileId }] })];
  await workspace.data("/v2/commentannotations/comments/add", { ...SCOPE, annotationId: "a", commentData });
  const files = commentFilesStore(session, { documentId, annotationId: "a", commentId: 7 });
  let reads = 0;
  const countRead = (status: number) =>
    replace(READ, () => {
      reads += 1;
      return Response.json({ result: { status: "success", data: [] } }, { status });
    });

  countRead(400);
  await expect(files.renew()).rejects.toThrow();
  await Promise.all([files.renew(), files.renew()]);
  const { url = "", urlExpiresAt = 0 } = files.getState().get(file.fileId) ?? {};
  expect(await (await fetch(url)).text()).toBe("The plan");
  expect(urlExpiresAt).toBeGreaterThan(Date.now() + 5 * MINUTE);

  countRead(200);
  letPass(4 * MINUTE);
  await files.renew();
  expect(reads).toBe(1);
  letPass(2 * MINUTE);
  await files.renew();
  expect(reads).toBe(2);
});

test("users to mention are read again after ten minutes, while the URLs of their photos work", async () => {
  const workspace = await service.publicWorkspace();
  const add = (userId: string) =>
    workspace.data("/v2/users/add", { organizationId, users: [{ userId, name: userId, accessRole: "viewer" }] });
  await add("grace");
  const { session } = await openPage(service.address, workspace);
  const find = async () => (await findUsers(session, "")).map(({ userId }) => userId);
  expect(await find()).toEqual(["grace"]);
  await add("alan");
  expect(await find()).toEqual(["grace"]);
  letPass(11 * MINUTE);
  expect(await find()).toEqual(["alan", "grace"]);
});
