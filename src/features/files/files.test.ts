import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import {
  addCommentWith,
  BYTES,
  getReason,
  NEW_FILE,
  readAttachments,
  readFileUrl,
  sendRaw,
  uploadFile,
} from "../../../test/files.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await service.publicWorkspace();
});

const ADD = "/v2/files/add";
const SHA_256 = createHash("sha256").update(BYTES).digest("hex");

/** Headers of a request without a length, as some proxies send it. */
const CHUNKED = { "transfer-encoding": "chunked" };

async function addFile(file: object = {}) {
  return workspace.data(ADD, { ...NEW_FILE, ...file });
}

test("a comment references an uploaded file, which is read by the signed URL of its attachment", async () => {
  const fileId = await uploadFile(workspace);
  const annotationId = await addCommentWith(workspace, [
    { fileId, url: "https://elsewhere.example.com", name: "other.exe", label: "kept" },
    { url: "https://files.example.com/linked.png" },
  ]);
  const [attachment, linked] = await readAttachments(workspace, annotationId);
  const info = { fileId, label: "kept", name: "fox.txt", mimeType: "text/plain", size: BYTES.length };
  expect(attachment).toEqual({
    ...info,
    url: expect.stringContaining(`${service.address}/v2/files/download?token=`),
    urlExpiresAt: expect.any(Number),
  });
  expect(linked).toEqual({ url: "https://files.example.com/linked.png" });
  const listed = await workspace.data("/v2/commentannotations/get", { ...SCOPE, annotationIds: [annotationId] });
  expect(JSON.stringify(listed)).toContain(JSON.stringify(attachment));
  const { status, headers, body } = await sendRaw(attachment?.url ?? "", "GET");
  expect([status, body]).toEqual([200, BYTES]);
  expect(headers).toMatchObject({
    "content-type": "text/plain",
    "content-length": String(BYTES.length),
    "content-disposition": "inline; filename=\"fox.txt\"; filename*=UTF-8''fox.txt",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("sandbox"),
    "cache-control": "private, max-age=300",
    etag: `"${SHA_256}"`,
  });
});

describe("an upload", () => {
  test("is accepted once, also if it is sent twice at the same time", async () => {
    const { upload } = await addFile();
    const send = () => sendRaw(upload.url, "PUT", upload.headers, BYTES);
    const [one, two] = await Promise.all([send(), send()]);
    expect([one.status, two.status].sort()).toEqual([204, 409]);
    expect(getReason(await send())).toBe("already_exists");
  });

  test("that was rejected can be sent again, and keeps nothing", async () => {
    const { upload } = await addFile({ checksum: SHA_256 });
    const other = Buffer.from(BYTES).fill("x");
    expect(getReason(await sendRaw(upload.url, "PUT", upload.headers, other))).toBe("upload_mismatch");
    expect((await sendRaw(upload.url, "PUT", upload.headers, BYTES)).status).toBe(204);
  });

  test.each([
    { what: "more bytes", headers: {}, body: Buffer.concat([BYTES, BYTES]) },
    { what: "fewer bytes", headers: {}, body: BYTES.subarray(1) },
    { what: "another type", headers: { "content-type": "text/html" }, body: BYTES },
    { what: "more bytes in chunks", headers: CHUNKED, body: Buffer.concat([BYTES, BYTES]) },
    { what: "fewer bytes in chunks", headers: CHUNKED, body: BYTES.subarray(1) },
  ])("with $what is rejected", async ({ headers, body }) => {
    const { upload } = await addFile();
    expect(getReason(await sendRaw(upload.url, "PUT", { ...upload.headers, ...headers }, body))).toBe(
      "upload_mismatch",
    );
  });

  test.each([
    ["chunks instead of a length", CHUNKED],
    ["a body that is sent once the service asks for it", { expect: "100-continue" }],
    ["an encoding, which does not change what the bytes are", { "content-encoding": "gzip" }],
  ])("is accepted with %s", async (_, headers) => {
    const { fileId, upload } = await addFile();
    expect((await sendRaw(upload.url, "PUT", { ...upload.headers, ...headers }, BYTES)).status).toBe(204);
    const url = await readFileUrl(workspace, await addCommentWith(workspace, [{ fileId }]));
    const read = await sendRaw(url, "GET");
    expect([read.body, read.headers["content-encoding"]]).toEqual([BYTES, undefined]);
  });

  test.each([
    ["another file", (token: string, other: string) => token.replace(/[^.]+(?=\.\d+\.)/, other)],
    ["a later end", (token: string) => token.replace(/\.\d+\./, ".9999999999999.")],
    ["no signature", (token: string) => token.replace(/[^.]+$/, "")],
    ["something behind it", (token: string) => `${token}.x`],
  ])("with the token of %s is rejected", async (_, forge) => {
    const [{ upload }, { fileId }] = [await addFile(), await addFile()];
    const token = new URL(upload.url).searchParams.get("token") ?? "";
    const url = `${service.address}/v2/files/upload?token=${forge(token, fileId)}`;
    expect(getReason(await sendRaw(url, "PUT", upload.headers, BYTES))).toBe("file_link_invalid");
  });

  test("needs the URL of an upload, and reading a file that of a download", async () => {
    const { upload } = await addFile();
    const url = await readFileUrl(
      workspace,
      await addCommentWith(workspace, [{ fileId: await uploadFile(workspace) }]),
    );
    const swapped = (given: string) =>
      given.replace(/upload|download/, (use) => (use === "upload" ? "download" : "upload"));
    expect(getReason(await sendRaw(swapped(url), "PUT", upload.headers, BYTES))).toBe("file_link_invalid");
    expect(getReason(await sendRaw(swapped(upload.url), "GET"))).toBe("file_link_invalid");
  });
});

test("a file that is too large, or has a type that is none, is INVALID_ARGUMENT", async () => {
  for (const field of [{ size: 100 * 1024 * 1024 + 1 }, { size: 0 }, { contentType: "text/html\r\nx: y" }]) {
    expect(await workspace.error(ADD, { ...NEW_FILE, ...field })).toMatchObject({ status: "INVALID_ARGUMENT" });
  }
});

describe("a comment cannot name a file", () => {
  const adding = (fileId: unknown, scope: object = SCOPE) => ({
    ...{ ...SCOPE, ...scope },
    commentAnnotations: [{ commentData: [{ from: { userId: "ada" }, attachments: [{ fileId }] }] }],
  });
  const expectMissing = async (fileId: unknown, scope?: object) => {
    const error = await workspace.error("/v2/commentannotations/add", adding(fileId, scope));
    expect(error).toMatchObject({ status: "NOT_FOUND", details: { reason: "not_found" } });
  };

  test("that does not exist, is not uploaded, or is in another organization", async () => {
    const noTexts = [7, null, { toString: null }, [await uploadFile(workspace)]];
    for (const fileId of ["missing", ...noTexts, (await addFile()).fileId]) await expectMissing(fileId);
    await expectMissing(await uploadFile(workspace), { organizationId: "globex" });
  });

  test("that another record references, or twice", async () => {
    const fileId = await uploadFile(workspace);
    const twice = adding(fileId);
    twice.commentAnnotations.push(...adding(fileId).commentAnnotations);
    expect(await workspace.error("/v2/commentannotations/add", twice)).toMatchObject({ status: "NOT_FOUND" });
    await addCommentWith(workspace, [{ fileId }]);
    await expectMissing(fileId);
  });

  test("that another user has uploaded", async () => {
    const [ada, grace] = await Promise.all([tokenFor(workspace, "ada"), tokenFor(workspace, "grace")]);
    const { body } = await callWith(ada, `${service.address}${ADD}`, NEW_FILE);
    const { fileId, upload } = Object(body).result.data;
    await sendRaw(upload.url, "PUT", upload.headers, BYTES);
    const attachments = [{ fileId }];
    const request = { ...SCOPE, commentAnnotations: [{ commentData: [{ attachments }] }] };
    const url = `${service.address}/v2/commentannotations/add`;
    expect(await callWith(grace, url, request)).toMatchObject({ httpStatus: 404 });
    expect(await callWith(ada, url, request)).toMatchObject({ httpStatus: 200 });
  });
});

test("a recording or a user cannot name a file of another organization or workspace", async () => {
  const other = await service.publicWorkspace();
  const foreign = [await uploadFile(workspace, { organizationId: "globex" }), await uploadFile(other)];
  for (const fileId of foreign) {
    const recordings = [{ annotationId: "stolen", attachments: [{ fileId }] }];
    const users = [{ userId: "thief", photoFileId: fileId, accessRole: "viewer" as const }];
    const errors = [
      await workspace.error("/v2/recordings/add", { ...SCOPE, recordings }),
      await workspace.error("/v2/users/add", { organizationId: "acme", users }),
    ];
    for (const error of errors) expect(error).toMatchObject({ status: "NOT_FOUND" });
  }
});

test("users get the URL of a file of a restricted annotation only if they see the annotation", async () => {
  const url = `${service.address}/v2/commentannotations`;
  const fileId = await uploadFile(workspace);
  const restricted = {
    annotationId: `restricted-${fileId}`,
    visibility: { type: "restricted" as const, userIds: ["grace"] },
    commentData: [{ from: { userId: "grace" }, attachments: [{ fileId }] }],
  };
  await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [restricted] });
  const [ada, grace] = await Promise.all([tokenFor(workspace, "ada"), tokenFor(workspace, "grace")]);
  const request = { ...SCOPE, annotationIds: [restricted.annotationId] };
  const read = async (token: string) => JSON.stringify(await callWith(token, `${url}/get`, request));
  expect(await read(grace)).toContain("/v2/files/download?token=");
  expect(await read(ada)).not.toContain(fileId);
  const stolen = { ...SCOPE, commentAnnotations: [{ commentData: [{ attachments: [{ fileId }] }] }] };
  expect(await callWith(ada, `${url}/add`, stolen)).toMatchObject({ httpStatus: 404 });
});

test("a user uploads only to a document in which the user may comment", async () => {
  const viewer = await tokenFor(workspace, "ada", {
    resources: [{ type: "document", id: "contract-7", organizationId: "acme", accessRole: "viewer" }],
  });
  const url = `${service.address}${ADD}`;
  expect(await callWith(viewer, url, NEW_FILE)).toMatchObject({ httpStatus: 403 });
  const { documentId: _, ...withoutDocument } = NEW_FILE;
  expect(await callWith(viewer, url, withoutDocument)).toMatchObject({ httpStatus: 400 });
});

describe("a file is not found", () => {
  test("once its comment is deleted, or no longer references it", async () => {
    const [deleted, dropped, kept] = [
      await uploadFile(workspace),
      await uploadFile(workspace),
      await uploadFile(workspace),
    ];
    const first = await addCommentWith(workspace, [{ fileId: deleted }]);
    const second = await addCommentWith(workspace, [{ fileId: dropped }, { fileId: kept }]);
    const [firstUrl] = (await readAttachments(workspace, first)).map(({ url }) => url);
    const [droppedUrl, keptUrl] = (await readAttachments(workspace, second)).map(({ url }) => url);
    const comment = { ...SCOPE, annotationId: second, commentIds: [1] };
    await workspace.data("/v2/commentannotations/delete", { ...SCOPE, annotationIds: [first] });
    await workspace.data("/v2/commentannotations/comments/update", {
      ...comment,
      updatedData: { attachments: [{ fileId: kept }] },
    });
    const statuses = await Promise.all([firstUrl, droppedUrl, keptUrl].map((url = "") => sendRaw(url, "GET")));
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 200]);
  });

  test("while its organization or document is disabled", async () => {
    const scope = { organizationId: "acme-disabled", documentId: "contract-7" };
    const fileId = await uploadFile(workspace, scope);
    const url = (await readAttachments(workspace, await addCommentWith(workspace, [{ fileId }], scope), scope))[0]?.url;
    await workspace.data("/v2/organizations/documents/access/disablestate/update", {
      ...{ organizationId: scope.organizationId, documentIds: [scope.documentId] },
      disabled: true,
    });
    expect((await sendRaw(url ?? "", "GET")).status).toBe(404);
  });
});

test("a part of a file, its headers, and a copy that is still valid can be asked for", async () => {
  const fileId = await uploadFile(workspace);
  const url = await readFileUrl(workspace, await addCommentWith(workspace, [{ fileId }]));
  const read = async (headers: Record<string, string>, method = "GET") => {
    const { status, headers: received, body } = await sendRaw(url, method, headers);
    return [status, received["content-range"], status === 416 ? "" : body.toString()];
  };
  expect(await read({ range: "bytes=4-8" })).toEqual([206, "bytes 4-8/19", "quick"]);
  expect(await read({ range: "bytes=-3" })).toEqual([206, "bytes 16-18/19", "fox"]);
  expect(await read({ range: "bytes=16-99" })).toEqual([206, "bytes 16-18/19", "fox"]);
  expect(await read({ range: "bytes=19-" })).toEqual([416, "bytes */19", ""]);
  expect(await read({ range: "bytes=0-1,4-5" })).toEqual([200, undefined, BYTES.toString()]);
  expect(await read({ range: "bytes=4-8", "if-range": '"other"' })).toEqual([200, undefined, BYTES.toString()]);
  expect(await read({ "if-none-match": `W/"${SHA_256}"` })).toEqual([304, undefined, ""]);
  expect(await read({ range: "bytes=99999999999999999999-" })).toEqual([416, "bytes */19", ""]);
  expect(await read({ range: "bytes=4-99999999999999999999" })).toEqual([
    206,
    "bytes 4-18/19",
    BYTES.toString().slice(4),
  ]);
  expect(await read({ range: `bytes=${"0-1,".repeat(1_000)}4-5` })).toEqual([200, undefined, BYTES.toString()]);
  expect(await read({}, "HEAD")).toEqual([200, undefined, ""]);
  expect(await read({ range: "bytes=4-8" }, "HEAD")).toEqual([200, undefined, ""]);
  expect((await sendRaw(url, "HEAD")).headers["content-length"]).toBe("19");
});
