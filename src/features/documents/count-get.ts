import Type, { type Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import { ROOT } from "../../contract/folder-id.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { SET_BY_SERVICE } from "./document.ts";
import { countDocuments, type MetadataFilter } from "./document-count-queries.ts";
import { storedFolderFilter } from "./folders/folder.ts";

const MAX_VALUES = 30;
/** Fields of a document that are not metadata. Filters on them would count nothing. */
const UNFILTERED: ReadonlySet<string> = new Set(["documentId", ...SET_BY_SERVICE]);
const Filter = Type.Object({
  key: Type.String({ maxLength: 1024 }),
  operator: Type.Enum(["==", "in"]),
  value: Type.Refine(
    Type.Unknown(),
    (value) => (Array.isArray(value) ? value.length <= MAX_VALUES && value.every(isScalar) : isScalar(value)),
    () => `must be a string, number, boolean or null, or an array of at most ${MAX_VALUES} of them`,
  ),
});

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

const Request = Type.Object({
  organizationId: Identifier,
  folderId: Type.Optional(Identifier),
  excludeFolderDocs: Type.Optional(Type.Boolean({ default: false })),
  filters: Type.Optional(Type.Array(Filter, { maxItems: 10 })),
});

/** Counts the documents of an organization or folder. */
export const getDocumentCount = operation({
  path: "/v2/organizations/documents/count/get",
  summary: "Count documents",
  description:
    "Counts the documents of the organization, disabled ones included; with `folderId` those directly in that " +
    "folder, with `excludeFolderDocs` or the folder `root` those outside of any folder. `filters` combine with AND " +
    "and compare the name (`documentName`) or a field of the metadata: `==` with one value, `in` with any of " +
    "several. A field that a document does not have equals nothing. Fields that the service sets, such as " +
    "`accessType` and `disabled`, cannot be filtered by. Filters read all documents counted otherwise.",
  message: "Documents counted.",
  scope: "read",
  request: Request,
  response: Type.Object({
    count: Type.Integer(),
    filtersApplied: Type.Optional(
      Type.Literal(true, { description: "Present if there were filters.", examples: [true] }),
    ),
  }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", filters: [{ key: "status", operator: "in", value: ["draft", "review"] }] },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, folderId, excludeFolderDocs = false, filters = [] }: Static<typeof Request>,
) {
  if (excludeFolderDocs && filters.length > 0) {
    throw invalidField("data.filters", "cannot be combined with excludeFolderDocs");
  }
  const place = excludeFolderDocs ? ROOT : folderId;
  if (folderId !== undefined && folderId !== place) {
    throw invalidField("data.folderId", "cannot be combined with excludeFolderDocs");
  }
  const scope = openOrganization(database, workspace, organizationId);
  const { count, block } = await countDocuments(scope, {
    folderId: storedFolderFilter(place),
    filters: filters.map(toMetadataFilter),
  });
  assertAccessible(block, organizationId);
  return filters.length > 0 ? { count, filtersApplied: true as const } : { count };
}

function toMetadataFilter({ key, operator, value }: Static<typeof Filter>, index: number): MetadataFilter {
  if (UNFILTERED.has(key)) {
    throw invalidField(`data.filters[${index}].key`, "must be documentName or a field of the metadata");
  }
  if (Array.isArray(value) !== (operator === "in")) {
    throw invalidField(`data.filters[${index}].value`, "must be an array with the operator in, and one value with ==");
  }
  return { key, values: [value].flat().map((each) => JSON.stringify(each)) };
}
