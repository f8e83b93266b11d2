import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { restoreContent } from "../collaborative-document.ts";
import { type ChangedFrom, changeStoredDocument } from "../stored/change.ts";
import { DOCUMENT_REF_FIELDS, versionNotFound } from "./version.ts";
import { selectVersionState } from "./version-queries.ts";

const Request = Type.Object({ ...DOCUMENT_REF_FIELDS, versionId: Identifier });

/** Restores the content of a version by operations on the Yjs document, so that connected clients follow. */
export const restoreCrdtVersion = operation({
  path: "/v2/crdt/versions/restore",
  summary: "Restore a version of a collaborative document",
  description:
    "Makes the content equal to that of the version, with its formatting, embedded objects and nested values, under " +
    "all shared names of the Yjs document. Connected clients follow, and what their users type meanwhile is " +
    "merged. What it replaces becomes an automatic version, so restoring that one undoes it. A version that does not " +
    "exist is NOT_FOUND.",
  message: "Version restored.",
  scope: "write",
  endUsers: { role: "editor", on: "documents" },
  request: Request,
  response: Type.Object({
    replacedVersionId: Type.Union([Type.String(), Type.Null()], {
      description: "ID of the version that has what was replaced.",
    }),
  }),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    editorId: "clause-3",
    versionId: "signed",
  },
  handle,
});

async function handle(context: Context, { organizationId, documentId, editorId, versionId }: Static<typeof Request>) {
  const early = openOrganization(context.earlyReads, context.workspace, organizationId);
  const ref = { organizationId, documentId, editorId };
  const change = async (stored: ChangedFrom, authorId: string | null) => {
    const { type, contentKey, clientId } = stored;
    const earlier = await selectVersionState(early, ref, { id: versionId, clientId });
    if (!earlier) throw versionNotFound(versionId);
    return restoreContent(stored.owner, { type, contentKey, before: stored, earlier: earlier.state, authorId });
  };
  const replacedVersionId = await changeStoredDocument(context, ref, {
    userId: context.user?.userId,
    keepsReplaced: true,
    change,
  });
  return { replacedVersionId };
}
