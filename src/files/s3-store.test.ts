import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { expect, inject, test } from "vitest";
import { registerCleanup } from "../../test/cleanup.ts";
import { SCOPE } from "../../test/factories.ts";
import { addCommentWith, BYTES, NEW_FILE, readFileUrl, sendRaw } from "../../test/files.ts";
import { startOwnTestService } from "../../test/harness.ts";
import { readFilesUrl } from "../config/file-settings.ts";
import { deleteExpiredRows } from "../database/expiry.ts";
import { deleteLeftFiles } from "../features/files/remove-files.ts";
import { S3Store } from "./s3-store.ts";

const KEYS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** The server (5.0.0) verifies a query as if ! ' ( ) and * were not encoded, as RFC 3986 and Amazon S3 want it. */
function encodeForServer(): void {
  const encode = globalThis.encodeURIComponent;
  globalThis.encodeURIComponent = (text) =>
    encode(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  registerCleanup(() => {
    globalThis.encodeURIComponent = encode;
  });
}

/** Starts an S3-compatible server that verifies signatures. Returns the address of its bucket. */
async function startBucket(): Promise<string> {
  const directory = await mkdtemp(join(inject("runDirectory"), "s3-"));
  const server = new S3rver({ port: 0, silent: true, directory, configureBuckets: [{ name: "files" }] });
  const { port } = await server.run();
  registerCleanup(() => server.close());
  return `s3://files/kept here?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}&region=eu-central-1`;
}

encodeForServer();
const bucket = readFilesUrl(await startBucket());
const service = await startOwnTestService(() => ({ files: { bucket, credentials: KEYS } }));
const store = new S3Store(bucket, KEYS);
const workspace = await service.publicWorkspace();

const addFile = (file: object = {}) => workspace.data("/v2/files/add", { ...NEW_FILE, ...file });

test("bytes go to the bucket and come from it, and only the service's own URL is in the record", async () => {
  const { fileId, upload } = await addFile();
  expect(upload.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\/kept%20here\/uploads\//);
  expect((await sendRaw(upload.url, "PUT", upload.headers, BYTES)).status).toBe(200);
  const url = await readFileUrl(workspace, await addCommentWith(workspace, [{ fileId }]));
  expect(url).toMatch(`${service.address}/v2/files/download`);
  const { status, headers } = await sendRaw(url, "GET");
  expect([status, headers["cache-control"]]).toEqual([302, "private, max-age=60"]);
  const read = await sendRaw(String(headers.location), "GET", { range: "bytes=4-8" });
  expect([read.status, read.body.toString()]).toEqual([206, "quick"]);
  expect(read.headers).toMatchObject({
    "content-type": "text/plain",
    "content-disposition": "inline; filename=\"fox.txt\"; filename*=UTF-8''fox.txt",
  });
  const head = await sendRaw(url, "HEAD");
  expect((await sendRaw(String(head.headers.location), "HEAD")).headers["content-length"]).toBe(String(BYTES.length));
});

test.each([
  ["another type", { "content-type": "text/html" }, BYTES],
  ["another size", {}, Buffer.concat([BYTES, BYTES])],
])("the bucket rejects an upload of %s", async (_, headers, bytes) => {
  const { upload } = await addFile();
  expect((await sendRaw(upload.url, "PUT", { ...upload.headers, ...headers }, bytes)).status).toBe(403);
});

test("an upload for another file, or without a signature, is rejected", async () => {
  const [{ upload, fileId }, other] = [await addFile(), await addFile()];
  const forged = upload.url.replace(fileId, other.fileId);
  expect((await sendRaw(forged, "PUT", upload.headers, BYTES)).status).toBe(403);
});

test("a file that is not there cannot be named, and what is uploaded after it is named changes nothing", async () => {
  const { fileId, upload } = await addFile();
  const naming = {
    ...SCOPE,
    commentAnnotations: [{ commentData: [{ from: { userId: "ada" }, attachments: [{ fileId }] }] }],
  };
  expect(await workspace.error("/v2/commentannotations/add", naming)).toMatchObject({ httpStatus: 404 });
  await sendRaw(upload.url, "PUT", upload.headers, BYTES);
  const url = await readFileUrl(workspace, await addCommentWith(workspace, [{ fileId }]));
  const other = Buffer.from(BYTES).fill("x");
  expect((await sendRaw(upload.url, "PUT", upload.headers, other)).status).toBe(200);
  const { headers } = await sendRaw(url, "GET");
  expect((await sendRaw(String(headers.location), "GET")).body).toEqual(BYTES);
});

test("the bytes of a deleted record are deleted, with what was uploaded later", async () => {
  const { fileId, upload } = await addFile();
  await sendRaw(upload.url, "PUT", upload.headers, BYTES);
  const annotationId = await addCommentWith(workspace, [{ fileId }]);
  const url = await readFileUrl(workspace, annotationId);
  const { headers } = await sendRaw(url, "GET");
  await sendRaw(upload.url, "PUT", upload.headers, BYTES);
  await workspace.data("/v2/commentannotations/delete", { ...SCOPE, annotationIds: [annotationId] });
  await deleteExpiredRows(deleteLeftFiles(service.database, store));
  expect((await sendRaw(url, "GET")).status).toBe(404);
  expect((await sendRaw(String(headers.location), "GET")).status).toBe(404);
});

test("the store says whether it can be written", async () => {
  await expect(store.check()).resolves.toBeUndefined();
  const wrong = new S3Store(bucket, { ...KEYS, secretAccessKey: "wrong" });
  await expect(wrong.check()).rejects.toThrow("HTTP 403 (SignatureDoesNotMatch)");
});
