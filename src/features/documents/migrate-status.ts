import Type, { type Static } from "typebox";
import { ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { MIGRATION_STATUSES, selectMigration } from "./migration/document-migration-queries.ts";

const Request = Type.Object({ organizationId: Identifier, migrationId: Identifier });

/** Returns the status of a document's migration. */
export const getDocumentMigrationStatus = operation({
  path: "/v2/organizations/documents/migrate/status",
  summary: "Read the status of a document's migration",
  description:
    "A migration is `pending` until nothing is in its way, `in_progress` while it moves data, then `completed`. It " +
    "is `failed` only if the new document was written to while the migration began; then no data was moved, both " +
    "documents can be used, and `failure` says why. The status can be read until 30 days after the end.",
  message: "Document migration status retrieved.",
  scope: "read",
  request: Request,
  response: Type.Object({
    migrationId: Type.String(),
    status: Type.Enum(MIGRATION_STATUSES),
    failure: Type.Optional(Type.String({ description: "Why the migration failed." })),
  }),
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: { organizationId: "acme", migrationId: "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b" },
  handle,
});

async function handle({ database, workspace }: Context, { organizationId, migrationId }: Static<typeof Request>) {
  const scope = openOrganization(database, workspace, organizationId);
  await requireAccessible(scope);
  const migration = await selectMigration(scope, migrationId);
  if (!migration) throw new ServiceError("not_found", `Migration ${JSON.stringify(migrationId)} does not exist.`);
  const { status, failure } = migration;
  return { migrationId, status, ...(failure !== null && { failure }) };
}
