import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { SharedType } from "../shared-type.ts";
import { assertStored } from "../stored/change.ts";
import { DOCUMENT_REF_FIELDS } from "../versions/version.ts";
import { EditorSchema } from "./editor-schema.ts";
import { selectSchema } from "./schema-queries.ts";

const Request = Type.Object(DOCUMENT_REF_FIELDS);

/** Reads the schema of the editors of a collaborative document. */
export const getCrdtSchema = operation({
  path: "/v2/crdt/schema/get",
  summary: "Read the editor schema of a collaborative document",
  description:
    "Returns how a page finds the content of a collaborative document, and the schema that its editors need, which " +
    "is null if none was recorded. A collaborative document that does not exist is NOT_FOUND.",
  message: "Schema retrieved.",
  scope: "read",
  endUsers: { role: "viewer", on: "documents" },
  request: Request,
  response: Type.Object({
    type: SharedType,
    contentKey: Type.String(),
    schema: Type.Union([EditorSchema, Type.Null()]),
  }),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", editorId: "clause-3" },
  handle,
});

async function handle({ database, workspace }: Context, { organizationId, ...document }: Static<typeof Request>) {
  const { block, found } = await selectSchema(openOrganization(database, workspace, organizationId), document);
  assertAccessible(block, organizationId);
  const stored = found ?? undefined;
  assertStored(document, stored);
  return stored;
}
