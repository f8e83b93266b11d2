import Type, { type Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { newId } from "../../database/new-id.ts";
import { ensureDocument } from "../implicit-creation/ensure-document.ts";
import { acrossOrganizations, openOrganization } from "../tenancy/organization-scope.ts";
import { assertQuota, assertWorkspaceQuota, isAllowed } from "./file-limits.ts";
import { insertFile } from "./file-queries.ts";

const CONTENT_TYPE = String.raw`[\w!#$&^.+-]+/[\w!#$&^.+-]+( *; *[\w-]+=("[\w.,+ -]*"|[\w.,+-]+))*`;

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Type.Optional(Identifier),
  name: Identifier,
  contentType: Type.String({
    maxLength: 255,
    pattern: `^${CONTENT_TYPE}$`,
    description: "Must be a media type, for example `image/png`.",
  }),
  size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Size in bytes." }),
  checksum: Type.Optional(
    Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "Must be the SHA-256 of the bytes in lower-case hexadecimal digits.",
    }),
  ),
});

const EXAMPLE = {
  fileId: "019adf6e-5b1c-7d00-8a3e-6f2b9c4d1e70",
  upload: {
    url: "https://collaboration.example.com/v2/files/upload?token=…",
    method: "PUT",
    headers: { "content-type": "image/png" },
    expiresAt: 1_795_516_200_000,
  },
};

const Response = Type.Object(
  {
    fileId: Identifier,
    upload: Type.Object({
      url: Type.String({ description: "Signed URL, which accepts the bytes once." }),
      method: Type.Literal("PUT"),
      headers: Type.Record(Type.String(), Type.String(), { description: "Headers that the request must have." }),
      expiresAt: Type.Integer({ description: "Time until which it can begin." }),
    }),
  },
  { title: "NewFile", examples: [EXAMPLE] },
);

/** Registers a file and returns where to send its bytes. */
export const addFile = operation({
  path: "/v2/files/add",
  summary: "Add a file",
  description:
    "Returns a `fileId` and where to send the bytes: a PUT to `upload.url` with the `upload.headers` and exactly " +
    "`size` bytes, whose SHA-256 is the `checksum` if it is sent. The URL works once. Then reference the file in a " +
    "record: an attachment of a comment has its `fileId`. A file belongs to the record that references it, and is " +
    "deleted with it; a file that no record references is deleted after a day.\n\nUsers name a document in which " +
    "they may comment, and only they can reference their files.",
  message: "File added.",
  scope: "write",
  endUsers: { role: "commenter", on: "documents", changes: "own" },
  request: Request,
  response: Response,
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    name: "signature.png",
    contentType: "image/png",
    size: 24_680,
  },
  handle,
});

async function handle(
  { database, workspace, user, files }: Context,
  { organizationId, documentId, ...file }: Static<typeof Request>,
) {
  const { limits } = files;
  if (file.size > limits.maxBytes) throw invalidField("data.size", `must be at most ${limits.maxBytes}`);
  if (!isAllowed(file.contentType, limits.types)) {
    throw invalidField("data.contentType", `must be one of ${limits.types.join(", ")}`);
  }
  const id = newId();
  const key = await database.transaction(async (transaction) => {
    await assertWorkspaceQuota(acrossOrganizations(transaction), workspace.id, limits, file.size);
    const scope = openOrganization(transaction, workspace, organizationId);
    await assertQuota(scope, limits, file.size, user?.userId);
    await ensureDocument(scope, documentId);
    await insertFile(scope, { ...file, id, checksum: file.checksum, userId: user?.userId });
    return scope.key;
  });
  const ref = { workspaceId: workspace.id, organizationKey: key, fileId: id };
  return { fileId: id, upload: await files.createUpload({ ...ref, ...file, checksum: file.checksum ?? null }) };
}
