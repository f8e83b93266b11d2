import type { Static } from "typebox";
import { MAX_THREADED_BODY_BYTES } from "../../contract/body-limit.ts";
import { ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { CollaborativeDocumentContent, changeContent, DATA_RULES } from "./collaborative-document.ts";
import { changeStoredDocument } from "./stored/change.ts";

/** Replaces the content by operations on the Yjs document, so that connected clients merge them. */
export const updateCrdt = operation({
  path: "/v2/crdt/update",
  summary: "Replace the content of a collaborative document",
  description:
    "Makes the content of the Yjs document equal to `data` by changing only what differs, so concurrent " +
    "edits elsewhere in it are merged. Objects in an array and elements in XML are matched by their `id`. `type`, " +
    "and `contentKey` if it is sent, must be those of the collaborative document; others are FAILED_PRECONDITION. " +
    `A collaborative document that does not exist is NOT_FOUND.\n\n${DATA_RULES}`,
  message: "Collaborative document updated.",
  scope: "write",
  request: CollaborativeDocumentContent,
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
  { organizationId, documentId, editorId, data, ...expected }: Static<typeof CollaborativeDocumentContent>,
) {
  const ref = { organizationId, documentId, editorId };
  await changeStoredDocument(context, ref, async (stored) => {
    const { type, contentKey } = stored;
    const name = `Collaborative document ${JSON.stringify(editorId)}`;
    if (expected.type !== type) {
      throw new ServiceError("editor_mismatch", `${name} is of type ${type}, which cannot be changed.`);
    }
    if (expected.contentKey !== undefined && expected.contentKey !== contentKey) {
      const key = JSON.stringify(contentKey);
      throw new ServiceError("editor_mismatch", `${name} has the contentKey ${key}, which cannot be changed.`);
    }
    return changeContent({ type, contentKey, data, before: stored });
  });
  return undefined;
}
