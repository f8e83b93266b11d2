import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { assertStored } from "../stored/change.ts";
import { DOCUMENT_REF_FIELDS } from "../versions/version.ts";
import { EditorSchema, NewEditorSchema } from "./editor-schema.ts";
import { recordSchema, selectSchema } from "./schema-queries.ts";

const Request = Type.Object({ ...DOCUMENT_REF_FIELDS, schema: NewEditorSchema });

/** Records the schema of the editors of a collaborative document. */
export const updateCrdtSchema = operation({
  path: "/v2/crdt/schema/update",
  summary: "Record the editor schema of a collaborative document",
  description:
    "Records the names that editors must know to write in a collaborative document. Pages whose editor lacks some " +
    "open it read-only. A newer `version` replaces an older one; for users, the same or an older one changes " +
    "nothing, while a backend replaces any, such as one that a user recorded with too many names. Returns the schema " +
    "that is recorded then. A collaborative document that does not exist is NOT_FOUND.",
  message: "Schema recorded.",
  scope: "write",
  endUsers: { role: "editor", on: "documents" },
  request: Request,
  response: Type.Object({ schema: EditorSchema }),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    editorId: "clause-3",
    schema: { name: "contract", version: 3, nodes: ["doc", "paragraph", "text"], marks: ["bold"] },
  },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, schema, ...document }: Static<typeof Request>,
) {
  return inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, document.documentId);
    await recordSchema(scope, document, { schema, onlyNewer: user !== undefined });
    const { found } = await selectSchema(scope, document);
    assertStored(document, found ?? undefined);
    return { schema: found?.schema ?? schema };
  });
}
