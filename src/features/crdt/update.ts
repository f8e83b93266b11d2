import Type, { type Static } from "typebox";
import { MAX_THREADED_BODY_BYTES } from "../../contract/body-limit.ts";
import { ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { CollaborativeDocumentContent, changeContent, DATA_RULES } from "./collaborative-document.ts";
import { getCrdt } from "./get.ts";
import { recordSchema } from "./schema/schema-queries.ts";
import { type ChangedFrom, changeStoredDocument } from "./stored/change.ts";

const Request = Type.Object({
  ...CollaborativeDocumentContent.properties,
  state: Type.Optional(
    Type.String({
      description: "The `state` that `/v2/crdt/get` returned with the content from which `data` was made.",
    }),
  ),
});

/** Replaces the content by operations on the Yjs document, so that connected clients merge them. */
export const updateCrdt = operation({
  path: "/v2/crdt/update",
  summary: "Replace the content of a collaborative document",
  description:
    "Makes the content of the Yjs document equal to `data` by changing only what differs from the present content. " +
    "With the `state` that `/v2/crdt/get` returned with `includeState`, it changes what differs from the content of " +
    "that state, and merges this with everything that was written since. A `state` that this collaborative document " +
    "did not have is FAILED_PRECONDITION. Objects in an array and elements in XML are matched by their `id`. `type`, " +
    "and `contentKey` if it is sent, must be those of the collaborative document; others are FAILED_PRECONDITION. " +
    `A collaborative document that does not exist is NOT_FOUND.\n\n${DATA_RULES}`,
  message: "Collaborative document updated.",
  scope: "write",
  request: Request,
  returned: {
    by: getCrdt,
    id: "editorId",
    returnedId: "id",
    request: ({ organizationId, documentId, editorId }) => ({ organizationId, documentId, editorId }),
  },
  maxBodyBytes: MAX_THREADED_BODY_BYTES,
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    editorId: "clause-3",
    type: "text",
    data: "Payment is due within sixty days.",
  },
  handle,
});

async function handle(
  context: Context,
  { organizationId, documentId, editorId, data, state, userId, schema, ...expected }: Static<typeof Request>,
) {
  const ref = { organizationId, documentId, editorId };
  const base = state === undefined ? undefined : Buffer.from(state, "base64");
  const change = async (stored: ChangedFrom, authorId: string | null) => {
    const { type, contentKey } = stored;
    const name = `Collaborative document ${JSON.stringify(editorId)}`;
    if (expected.type !== type) {
      throw new ServiceError("editor_mismatch", `${name} is of type ${type}, which cannot be changed.`);
    }
    if (expected.contentKey !== undefined && expected.contentKey !== contentKey) {
      const key = JSON.stringify(contentKey);
      throw new ServiceError("editor_mismatch", `${name} has the contentKey ${key}, which cannot be changed.`);
    }
    return changeContent(stored.owner, {
      type,
      contentKey,
      data,
      before: stored,
      base,
      authorId,
    });
  };
  await changeStoredDocument(context, ref, { userId, change });
  if (schema) {
    const scope = openOrganization(context.database, context.workspace, organizationId);
    await recordSchema(scope, ref, { schema, onlyNewer: true });
  }
  return undefined;
}
