import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";

export interface RawResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends a request as given, without the headers that `fetch` would add or forbid. */
export function sendRaw(
  url: string,
  method: string,
  headers: Record<string, string | number> = {},
  body?: Uint8Array,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      const { statusCode: status = 0, headers: received } = response;
      resolve({ status, headers: received, body: await buffer(response) });
    });
    sent.on("error", reject).end(body);
  });
}

/** Returns the reason of the error in a response. */
export function getReason({ body }: RawResponse): unknown {
  return JSON.parse(body.toString()).error.details.reason;
}

export const BYTES = Buffer.from("The quick brown fox");
export const NEW_FILE = { ...SCOPE, name: "fox.txt", contentType: "text/plain", size: BYTES.length };

/** Uploads a file. Returns its ID. */
export async function uploadFile(workspace: TestWorkspace, file: object = {}, bytes: Uint8Array = BYTES) {
  const { fileId, upload } = await workspace.data("/v2/files/add", { ...NEW_FILE, size: bytes.length, ...file });
  const { status, body } = await sendRaw(upload.url, upload.method, upload.headers, bytes);
  if (status !== 204) throw new Error(`the upload failed: ${body}`);
  return fileId;
}

/** Adds an annotation with a comment that has these attachments. Returns its ID. */
export async function addCommentWith(
  workspace: TestWorkspace,
  attachments: object[],
  scope: { organizationId: string; documentId: string } = SCOPE,
): Promise<string> {
  const commentData = [{ commentId: 1, from: { userId: "ada" }, attachments }];
  const result = await workspace.data("/v2/commentannotations/add", {
    ...scope,
    commentAnnotations: [{ commentData }],
  });
  return Object.keys(result)[0] ?? "";
}

/** Returns the attachments of the comment. */
export async function readAttachments(workspace: TestWorkspace, annotationId: string, scope = SCOPE) {
  const [comment] = await workspace.data("/v2/commentannotations/comments/get", { ...scope, annotationId });
  return (comment?.attachments ?? []) as { fileId?: string; url?: string; name?: string }[];
}

/** Returns the URL of the first attachment of the comment. */
export async function readFileUrl(workspace: TestWorkspace, annotationId: string): Promise<string> {
  const [attachment] = await readAttachments(workspace, annotationId);
  return attachment?.url ?? "";
}
