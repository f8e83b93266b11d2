import Type from "typebox";
import type { EndUser } from "../../contract/end-user.ts";
import type { EndUserRule } from "../../contract/end-user-rule.ts";
import { Identifier, PageToken } from "../../contract/schema.ts";
import type { AccessOrganization } from "../access/access-queries.ts";
import { ORGANIZATION } from "../access/effective-grant-queries.ts";
import { selectPermittedUserPage } from "../permissions/explanation/permission-explanation-queries.ts";
import { assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { type Page, selectUsersPage } from "./user-queries.ts";

/** Users read whom they can mention: the users of the organization, or those with access to one document. */
export const PROFILES: EndUserRule = {
  role: "viewer",
  on: "optionalDocuments",
  request: Type.Object({
    organizationId: Identifier,
    documentId: Type.Optional(Identifier),
    pageSize: Type.Optional(Type.Integer()),
    pageToken: Type.Optional(PageToken),
  }),
};

/** Fields that users see of each other: those that records have of their authors. */
const FIELDS = ["userId", "name", "email", "photoUrl", "photoFileId"];

/**
 * Reads one page of the profiles that a user may see, by ID: none of an organization or a public document on which the
 * user has no permission.
 */
export async function selectProfilePage(
  scope: AccessOrganization,
  documentId: string | undefined,
  user: EndUser,
  page: Page,
): Promise<{ records: string; next: string[] | undefined }> {
  if (documentId === undefined) {
    const found = await selectUsersPage(scope, ORGANIZATION, { readableBy: user }, page);
    assertNotBeingDeleted(found.extra, scope.organizationId);
    return { records: toProfiles(parse<UserFields>(found.records)), next: found.next };
  }
  const found = await selectPermittedUserPage(
    scope,
    { type: "document", id: documentId },
    { ...page, readableBy: user },
  );
  assertNotBeingDeleted(found.extra?.block ?? null, scope.organizationId);
  const records = parse<{ record: UserFields | null }>(found.records).map(({ record }) => record);
  return { records: toProfiles(records.filter((record) => record !== null)), next: found.next };
}

type UserFields = Record<string, unknown>;

function toProfiles(users: UserFields[]): string {
  return JSON.stringify(users, FIELDS);
}

/** Parses rows; the cast holds because the service has written the texts. */
function parse<Row>(records: string): Row[] {
  return JSON.parse(records) as Row[];
}
