import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../test/eventually.ts";
import { SCOPE } from "../../../test/factories.ts";
import {
  addCommentWith,
  BYTES,
  NEW_FILE,
  readAttachments,
  readFileUrl,
  sendRaw,
  uploadFile,
} from "../../../test/files.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserData, untilDeletionDone } from "../../../test/user-data.ts";
import { deleteExpiredRows } from "../../database/expiry.ts";
import type { FileStore } from "../../files/file-store.ts";
import { FolderStore } from "../../files/folder-store.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { deleteUnreferencedFiles } from "./remove-files.ts";

const service = await startOwnTestService();
const { database, config } = service;
const FOLDER = join(config.dataDir, "files");
const store = new FolderStore(FOLDER);

/** Deletes what no record references, as the timers do. */
function sweep(files: FileStore = store): Promise<void> {
  return deleteExpiredRows(deleteUnreferencedFiles(database, files));
}

/** Returns the IDs of the files whose bytes are stored, and of those with rows. */
async function readFiles(workspace: TestWorkspace, organizationId = "acme"): Promise<[string[], string[]]> {
  const key = organizationKey(workspace.id, organizationId);
  const stored = await readdir(join(FOLDER, key)).catch(() => []);
  const rows = await runSql<{ id: string }>(database, "select id from files where organization_key = $1 order by id", [
    key,
  ]);
  return [stored.sort(), rows.map(({ id }) => id)];
}

/** Uploads files that a comment each references. Returns their IDs and those of the annotations. */
async function addNamed(workspace: TestWorkspace, count: number) {
  const fileIds: string[] = [];
  const annotationIds: string[] = [];
  for (let index = 0; index < count; index++) {
    const fileId = await uploadFile(workspace);
    fileIds.push(fileId);
    annotationIds.push(await addCommentWith(workspace, [{ fileId }]));
  }
  return { fileIds, annotationIds };
}

async function readUsers(workspace: TestWorkspace) {
  const users = await workspace.data("/v2/users/get", { organizationId: "acme" });
  return Array.isArray(users) ? users : [];
}

async function makeOld(workspace: TestWorkspace): Promise<void> {
  const key = organizationKey(workspace.id, "acme");
  await runSql(database, "update files set created_at = created_at - 86400001 where organization_key = $1", [key]);
}

test("files of deleted comments, annotations and documents are deleted, and others stay", async () => {
  const workspace = await service.workspace();
  const { fileIds, annotationIds } = await addNamed(workspace, 4);
  const [comment = "", annotation = "", changed = ""] = annotationIds;
  await workspace.data("/v2/commentannotations/comments/delete", { ...SCOPE, annotationId: comment, commentIds: [1] });
  await workspace.data("/v2/commentannotations/delete", { ...SCOPE, annotationIds: [annotation] });
  const updatedData = { attachments: [] };
  await workspace.data("/v2/commentannotations/comments/update", {
    ...{ ...SCOPE, annotationId: changed, commentIds: [1] },
    updatedData,
  });
  await sweep();
  expect(await readFiles(workspace)).toEqual([[fileIds[3]], [fileIds[3]]]);
  const documentIds = [SCOPE.documentId];
  await workspace.data("/v2/organizations/documents/delete", { organizationId: "acme", documentIds });
  await sweep();
  expect(await readFiles(workspace)).toEqual([[], []]);
});

test("a file that no record references is deleted after a day, whether it was uploaded or not", async () => {
  const workspace = await service.workspace();
  const { fileIds } = await addNamed(workspace, 1);
  await uploadFile(workspace);
  await workspace.data("/v2/files/add", NEW_FILE);
  await sweep();
  expect((await readFiles(workspace))[1]).toHaveLength(3);
  await makeOld(workspace);
  await sweep();
  expect(await readFiles(workspace)).toEqual([fileIds, fileIds]);
});

test("bytes that could not be deleted are deleted later, and nobody can use the file meanwhile", async () => {
  const workspace = await service.workspace();
  const { annotationIds, fileIds } = await addNamed(workspace, 1);
  const url = await readFileUrl(workspace, annotationIds[0] ?? "");
  await workspace.data("/v2/commentannotations/delete", { ...SCOPE, annotationIds });
  const broken: FileStore = Object.assign(Object.create(store), {
    deletePartial: async () => {},
    delete: async () => Promise.reject(new Error("the disk is gone")),
  });
  await expect(sweep(broken)).rejects.toThrow("the disk is gone");
  expect((await sendRaw(url, "GET")).status).toBe(404);
  const naming = {
    ...SCOPE,
    commentAnnotations: [{ commentData: [{ from: { userId: "ada" }, attachments: [{ fileId: fileIds[0] }] }] }],
  };
  expect(await workspace.error("/v2/commentannotations/add", naming)).toMatchObject({ httpStatus: 404 });
  expect(await readFiles(workspace)).toEqual([fileIds, fileIds]);
  await sweep();
  expect(await readFiles(workspace)).toEqual([[], []]);
});

test("an upload whose connection breaks keeps nothing, and can be sent again", async () => {
  const workspace = await service.workspace();
  const { fileId, upload } = await workspace.data("/v2/files/add", NEW_FILE);
  const sent = request(upload.url, { method: "PUT", headers: { ...upload.headers, "content-length": BYTES.length } });
  const broken = new Promise((resolve) => sent.on("error", resolve));
  sent.write(BYTES.subarray(0, 5));
  const readPartial = () => readdir(join(FOLDER, "partial"));
  await eventually(async () => expect(await readPartial()).toHaveLength(1));
  sent.destroy();
  await broken;
  await eventually(async () => expect(await readPartial()).toEqual([]));
  expect(await readFiles(workspace)).toEqual([[], [fileId]]);
  expect((await sendRaw(upload.url, "PUT", upload.headers, BYTES)).status).toBe(204);
});

test("an upload that ends after its file was removed keeps nothing", async () => {
  const workspace = await service.workspace();
  const { upload } = await workspace.data("/v2/files/add", NEW_FILE);
  await makeOld(workspace);
  await sweep();
  expect((await sendRaw(upload.url, "PUT", upload.headers, BYTES)).status).toBe(404);
  expect(await readFiles(workspace)).toEqual([[], []]);
});

test("deleting a user's data deletes what the user uploaded, and the files of the user's records", async () => {
  const workspace = await service.workspace();
  const { fileIds } = await addNamed(workspace, 1);
  const kept = await uploadFile(workspace);
  const commentData = [{ from: { userId: "grace" }, attachments: [{ fileId: kept }] }];
  await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [{ commentData }] });
  const uploaded = await uploadFile(workspace);
  const key = organizationKey(workspace.id, "acme");
  await runSql(database, "update files set user_id = 'ada' where organization_key = $1 and id = $2", [key, uploaded]);
  expect((await readFiles(workspace))[0]).toEqual([...fileIds, kept, uploaded].sort());
  const { jobId } = await deleteUserData(workspace, ["ada"]);
  await untilDeletionDone(workspace, jobId);
  expect(await readFiles(workspace)).toEqual([[kept], [kept]]);
});

test("deleting a user's data takes the user out of the names of other files", async () => {
  const workspace = await service.workspace();
  const users = [{ userId: "ada", email: "ada@example.com" }];
  await workspace.data("/v2/users/add", { organizationId: "acme", users });
  const names = ["For ada@example.com and @ada", "ada", "Of Grace"];
  const fileIds = await Promise.all(names.map((name) => uploadFile(workspace, { name })));
  const attachments = fileIds.map((fileId) => ({ fileId }));
  const commentAnnotations = [{ annotationId: "a", commentData: [{ from: { userId: "grace" }, attachments }] }];
  await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations });
  const { jobId } = await deleteUserData(workspace, ["ada"]);
  await untilDeletionDone(workspace, jobId);
  const comment = { ...SCOPE, annotationId: "a", commentIds: [1] };
  await workspace.data("/v2/commentannotations/comments/update", { ...comment, updatedData: { attachments } });
  const read = await readAttachments(workspace, "a");
  expect(read.map(({ name }) => name)).toEqual(["For [deleted] and [deleted]", "[deleted]", "Of Grace"]);
  const { headers } = await sendRaw(await readFileUrl(workspace, "a"), "GET");
  expect(headers["content-disposition"]).toContain("For [deleted] and [deleted]");
});

test("deleting an organization deletes its files, and leaves those of others", async () => {
  const [workspace, other] = [await service.workspace(), await service.workspace()];
  await addNamed(workspace, 2);
  const { fileIds } = await addNamed(other, 1);
  await workspace.data("/v2/organizations/delete", { organizationIds: ["acme"] });
  await eventually(async () => expect(await readFiles(workspace)).toEqual([[], []]));
  expect((await readFiles(other))[0]).toEqual(fileIds);
});

test("the file of a recording or a photo belongs to it, is read by it, and is deleted with it", async () => {
  const workspace = await service.workspace();
  const [video, photo] = [await uploadFile(workspace), await uploadFile(workspace)];
  const recordings = [{ annotationId: "recording", attachments: [{ fileId: video }] }];
  await workspace.data("/v2/recordings/add", { ...SCOPE, recordings });
  const users = [{ userId: "ada", photoFileId: photo, photoUrl: "https://elsewhere.example.com" }];
  await workspace.data("/v2/users/add", {
    organizationId: "acme",
    users: users.map((user) => ({ ...user, accessRole: "viewer" as const })),
  });
  const [recording] = await workspace.data("/v2/recordings/get", SCOPE);
  const [user] = await readUsers(workspace);
  const urls = [recording?.attachments?.[0]?.url ?? "", user?.photoUrl ?? ""];
  for (const url of urls) expect((await sendRaw(url, "GET")).body).toEqual(BYTES);
  expect(recording?.attachments).toMatchObject([{ fileId: video, name: "fox.txt", size: BYTES.length }]);
  const update = { organizationId: "acme", users: [{ userId: "ada", photoUrl: "https://elsewhere.example.com" }] };
  await workspace.data("/v2/users/update", update);
  await workspace.data("/v2/recordings/add", { ...SCOPE, recordings: [{ annotationId: "recording" }] });
  for (const url of urls) expect((await sendRaw(url, "GET")).status).toBe(404);
  await sweep();
  expect(await readFiles(workspace)).toEqual([[], []]);
  const [changed] = await readUsers(workspace);
  expect(changed).toMatchObject({ photoUrl: "https://elsewhere.example.com" });
  expect(changed).not.toHaveProperty("photoFileId");
});

test("records that are sent back as they were read keep their files, and no time of a URL", async () => {
  const workspace = await service.workspace();
  const [video, photo, picture] = [
    await uploadFile(workspace),
    await uploadFile(workspace),
    await uploadFile(workspace),
  ];
  const recordings = [{ annotationId: "recording", attachments: [{ fileId: video }] }];
  await workspace.data("/v2/recordings/add", { ...SCOPE, recordings });
  const users = [{ userId: "ada", photoFileId: photo, accessRole: "viewer" as const }];
  await workspace.data("/v2/users/add", { organizationId: "acme", users });
  const annotationId = await addCommentWith(workspace, [{ fileId: picture }]);
  const [{ attachments } = {}] = await workspace.data("/v2/recordings/get", SCOPE);
  const again = [{ annotationId: "recording", ...(attachments && { attachments }) }];
  await workspace.data("/v2/recordings/update", { ...SCOPE, recordings: again });
  const [user] = await readUsers(workspace);
  expect(user).toMatchObject({ photoFileId: photo, photoUrlExpiresAt: expect.any(Number) });
  await workspace.data("/v2/users/update", { organizationId: "acme", users: [{ ...user, userId: "ada" }] });
  const comment = { ...SCOPE, annotationId, commentIds: [1] };
  const updatedData = { attachments: await readAttachments(workspace, annotationId) };
  await workspace.data("/v2/commentannotations/comments/update", { ...comment, updatedData });
  const tables = ["recordings", "users", "comments"];
  const stored = await Promise.all(
    tables.map((table) => runSql<{ record: string }>(database, `select record::text as record from ${table}`)),
  );
  const records = stored.flat().map(({ record }) => record);
  for (const fileId of [video, photo, picture]) expect(records.some((record) => record.includes(fileId))).toBe(true);
  expect(records.filter((record) => record.includes("ExpiresAt"))).toEqual([]);
});

test("the export of a user's data has signed URLs of the files of comments, recordings and the photo", async () => {
  const workspace = await service.workspace();
  await addNamed(workspace, 1);
  const [video, photo] = [await uploadFile(workspace), await uploadFile(workspace)];
  const recordings = [{ annotationId: "recording", from: { userId: "ada" }, attachments: [{ fileId: video }] }];
  await workspace.data("/v2/recordings/add", { ...SCOPE, recordings });
  const users = [{ userId: "ada", photoFileId: photo, accessRole: "viewer" as const }];
  await workspace.data("/v2/users/add", { organizationId: "acme", users });
  const exported = JSON.stringify(
    await workspace.data("/v2/users/data/get", { organizationId: "acme", userId: "ada" }),
  );
  const urls = [...exported.matchAll(/"(?:url|photoUrl)":"([^"]*\/v2\/files\/download[^"]*)"/g)];
  expect(urls).toHaveLength(3);
  for (const [, url = ""] of urls) expect((await sendRaw(url, "GET")).body).toEqual(BYTES);
});
