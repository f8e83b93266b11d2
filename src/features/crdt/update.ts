import type { Static } from "typebox";
import { ServiceError, unavailable } from "../../contract/errors.ts";
import { operation } from "../../contract/operation.ts";
import type { TransactionalQueryable } from "../../database/statement.ts";
import { assertAccessible } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { DATA_RULES, documentWith, EditorContent, recordOf } from "./editor.ts";
import { KeyedMutex } from "./keyed-mutex.ts";
import { type EditorRef, replaceDocument, type StoredDocument, selectDocument } from "./queries.ts";

/** Maximum number of attempts. Each failed one means that another server's update succeeded. */
const MAX_ATTEMPTS = 50;
const turns = new KeyedMutex();

/** Replaces the content of an editor by operations on its Yjs document, so that connected editors merge them. */
export const updateCrdt = operation({
  path: "/v2/crdt/update",
  summary: "Replace the content of a collaborative editor",
  description:
    "Makes the content of the editor's Yjs document equal to `data` by changing only what differs, so concurrent " +
    "edits elsewhere in it are merged. Objects in an array and elements in XML are matched by their `id`. `type`, " +
    "and `contentKey` if it is sent, must be those of the editor; others are FAILED_PRECONDITION. An editor that " +
    `does not exist is NOT_FOUND.\n\n${DATA_RULES}`,
  message: "Editor content updated.",
  scope: "write",
  request: EditorContent,
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    editorId: "clause-3",
    type: "text",
    data: "Payment is due within sixty days.",
  },
  async handle({ workspace, database }, { organizationId, ...request }) {
    const { documentId, editorId } = request;
    const editor = { organizationKey: organizationKey(workspace.id, organizationId), documentId, editorId };
    // Yjs may take long, so neither a row lock nor a connection is held meanwhile.
    return turns.take(JSON.stringify(editor), async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const { block, stored } = await selectDocument(database, editor);
        assertAccessible(block, organizationId);
        if (await isReplaced(database, editor, stored, request)) return undefined;
      }
      throw unavailable("conflict", "Too many concurrent updates of this editor. Retry.");
    });
  },
});

/** Replaces the document. Returns false if a concurrent request has changed it or its organization meanwhile. */
async function isReplaced(
  database: TransactionalQueryable,
  editor: EditorRef,
  stored: StoredDocument | undefined,
  request: Omit<Static<typeof EditorContent>, "organizationId">,
): Promise<boolean> {
  const name = `Editor ${JSON.stringify(editor.editorId)}`;
  if (!stored) throw new ServiceError("not_found", `${name} has no content; /v2/crdt/add creates it.`);
  const { type, contentKey, version, clientId } = stored;
  if (request.type !== type) {
    throw new ServiceError("editor_mismatch", `${name} is of type ${type}, which cannot be changed.`);
  }
  if (request.contentKey !== undefined && request.contentKey !== contentKey) {
    const key = JSON.stringify(contentKey);
    throw new ServiceError("editor_mismatch", `${name} has the contentKey ${key}, which cannot be changed.`);
  }
  const { state, content } = await documentWith({ type, contentKey, data: request.data, before: stored });
  const record = recordOf(editor.editorId, type, contentKey, content);
  return replaceDocument(database, editor, { version, clientId, state, record });
}
