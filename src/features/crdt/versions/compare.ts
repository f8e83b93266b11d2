import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { selectAuthors } from "../stored/author-queries.ts";
import { assertStored } from "../stored/change.ts";
import { selectDocument } from "../stored/crdt-update-queries.ts";
import { compareWithoutBlocking } from "../yjs-document-pool.ts";
import { DOCUMENT_REF_FIELDS, versionNotFound } from "./version.ts";
import { selectVersionState } from "./version-queries.ts";

const Change = Type.Object(
  {
    kind: Type.Enum(["added", "removed", "unchanged"]),
    text: Type.String({ examples: ["sixty"] }),
    userId: Type.Union([Type.String(), Type.Null()], {
      description:
        "The user who added or removed it; for an unchanged part, who wrote it. Null for the backend, deleted users " +
        "and changes from before users were recorded.",
      examples: ["ada"],
    }),
    path: Type.Optional(
      Type.Array(Type.String(), { description: "Keys of the maps around a value, from the outermost one." }),
    ),
  },
  { title: "CollaborativeDocumentChange" },
);

const Request = Type.Object({
  ...DOCUMENT_REF_FIELDS,
  versionId: Identifier,
  otherVersionId: Type.Optional(Identifier),
  includeUnchanged: Type.Optional(Type.Boolean({ default: false })),
});

/** Compares two versions of a collaborative document, or one with the present content, by author. */
export const compareCrdtVersions = operation({
  path: "/v2/crdt/versions/compare",
  summary: "Compare versions of a collaborative document",
  description:
    "Returns what was added to and removed from the earlier of two versions until the later one, and by whom, in " +
    "reading order: what was removed from a text is before what was added in its place. Without `otherVersionId`, it " +
    "compares the version with the present content. With `includeUnchanged`, it also returns what both have, so that " +
    'all `text` together is the content. In `xml`, each block ends with "\\n", and an object in a text is U+FFFC; ' +
    "formatting and attributes are not compared. In `map` and `array`, the values are compared: a value is one " +
    "change, with its JSON as `text`, and in a map its `path`; texts among the values are compared as texts. What " +
    "was added and removed between the two is in neither, and what a restore has brought back is unchanged. A " +
    "version that does not exist is NOT_FOUND.",
  message: "Versions compared.",
  scope: "read",
  endUsers: { role: "viewer", on: "documents" },
  request: Request,
  response: Type.Array(Change),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", editorId: "clause-3", versionId: "signed" },
  handle,
});

async function handle({ database, workspace }: Context, request: Static<typeof Request>) {
  const { organizationId, documentId, editorId, versionId, otherVersionId, includeUnchanged = false } = request;
  const scope = openOrganization(database, workspace, organizationId);
  const document = { documentId, editorId };
  const { block, stored } = await selectDocument(scope, document);
  assertAccessible(block, organizationId);
  assertStored(document, stored);
  const { type, contentKey, clientId } = stored;
  const find = async (id: string) => {
    const version = await selectVersionState(scope, document, { id, clientId });
    if (!version) throw versionNotFound(id);
    return version;
  };
  const version = await find(versionId);
  const other = otherVersionId === undefined ? undefined : await find(otherVersionId);
  const isReversed = other && other.createdAt < version.createdAt;
  const [earlier, later] = isReversed ? [other, version] : [version, other];
  const compared = { type, contentKey, before: stored, earlier: earlier.state, later: later?.state };
  const changes = await compareWithoutBlocking(stored.owner, compared);
  const users = new Map((await selectAuthors(scope, document)).map(({ id, userId }) => [id, userId]));
  return changes
    .filter(({ kind }) => includeUnchanged || kind !== "unchanged")
    .map(({ authorId, ...change }) => ({ ...change, userId: users.get(authorId ?? "") ?? null }));
}
