import { expect, test, vi } from "vitest";
import { SCOPE } from "../../test/factories.ts";
import { addCommentWith, BYTES, NEW_FILE, readFileUrl, sendRaw } from "../../test/files.ts";
import { startOwnTestService } from "../../test/harness.ts";
import { BUCKET_KEYS, startBucket } from "../../test/s3-bucket.ts";
import { readFilesUrl } from "../config/file-settings.ts";
import { deleteExpiredRows } from "../database/expiry.ts";
import { deleteUnreferencedFiles } from "../features/files/remove-files.ts";
import { organizationKey } from "../features/tenancy/organization-key.ts";
import { S3Store } from "./s3-store.ts";

const bucket = readFilesUrl(await startBucket());
const service = await startOwnTestService(() => ({ files: { bucket, credentials: BUCKET_KEYS } }));
const store = new S3Store(bucket, BUCKET_KEYS);
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

test("a missing file cannot be referenced, and what is uploaded after it is referenced changes nothing", async () => {
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
  await deleteExpiredRows(deleteUnreferencedFiles(service.database, store));
  expect((await sendRaw(url, "GET")).status).toBe(404);
  expect((await sendRaw(String(headers.location), "GET")).status).toBe(404);
});

test("the store says whether it can be written", async () => {
  await expect(store.check()).resolves.toBeUndefined();
  const wrong = new S3Store(bucket, { ...BUCKET_KEYS, secretAccessKey: "wrong" });
  await expect(wrong.check()).rejects.toThrow("HTTP 403 (SignatureDoesNotMatch)");
});

test("a list of the bucket is read page by page, and has only what is a file of the service", async () => {
  const key = organizationKey("workspace", "acme");
  const build = (names: string[], next?: string) => {
    const entries = names.map(
      (name) => `<Contents><Key>${name}</Key><LastModified>1970-01-01T00:00:01.000Z</LastModified>
      <ETag>&quot;x&quot;</ETag><Size>5</Size></Contents>`,
    );
    const token = next === undefined ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`;
    return `<ListBucketResult>${entries.join("")}${token}</ListBucketResult>`;
  };
  const others = ["a&amp;b/logo.png", "a&amp;b/0/one", `a&amp;b/else/${key}/one`, `other/${key}/one`];
  const pages = [build([`a&amp;b/${key}/one`, ...others], "1=&#x26;2"), build([`a&amp;b/uploads/${key}/two`])];
  const urls: URL[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
    urls.push(new URL(String(url)));
    return new Response(pages[urls.length - 1]);
  });
  const listed = await Array.fromAsync(new S3Store({ ...bucket, prefix: "a&b/" }, BUCKET_KEYS).list());
  vi.restoreAllMocks();
  const facts = { organizationKey: key, size: 5, modifiedAt: 1_000 };
  expect(listed).toEqual([
    { ...facts, fileId: "one" },
    { ...facts, fileId: "two" },
  ]);
  expect(urls.map(({ searchParams }) => searchParams.get("continuation-token"))).toEqual([null, "1=&2"]);
  expect(urls.map(({ searchParams }) => searchParams.get("prefix"))).toEqual(["a&b/", "a&b/"]);
});
