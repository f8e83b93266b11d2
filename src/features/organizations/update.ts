import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { perId } from "../../contract/schema.ts";
import { mergeRecords, RecordResult } from "../tenancy/metadata.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { recordOrganizationEvents } from "./event-log.ts";
import { getOrganizations } from "./get.ts";
import { NewOrganization, OMITTED_FIELDS as omitted } from "./organization.ts";
import { lockOrganizationRecords, replaceOrganizationRecords } from "./organization-queries.ts";

const Request = Type.Object({ organizations: Type.Array(NewOrganization, { minItems: 1, maxItems: 500 }) });

/** Replaces each field that is sent as a whole and keeps the rest. A missing organization fails alone. */
export const updateOrganizations = operation({
  path: "/v2/organizations/update",
  aliases: ["/v1/organizations/update"],
  summary: "Update organizations",
  description:
    "Replaces each field that is sent as a whole, also with `null`, and keeps the others. An organization that " +
    "does not exist, or would exceed 64 KiB, fails alone.",
  message: "Organizations updated.",
  scope: "write",
  request: Request,
  returned: {
    by: getOrganizations,
    field: "organizations",
    id: "organizationId",
    returnedId: "id",
    request: (_, organizationIds) => ({ organizationIds }),
  },
  response: perId(RecordResult),
  example: { organizations: [{ organizationId: "acme", organizationName: "Acme Ltd", plan: null }] },
  handle,
});

async function handle({ database, workspace }: Context, { organizations }: Static<typeof Request>) {
  const ids = organizations.map(({ organizationId }) => organizationId);
  rejectRepeatedIds(ids, "organizations", "organizationId");
  const updates = organizations.map((fields) => ({ id: fields.organizationId, fields }));
  const getKey = (id: string) => organizationKey(workspace.id, id);
  return database.transaction(async (transaction) => {
    const found = await lockOrganizationRecords(acrossOrganizations(transaction), ids.map(getKey));
    const options = { noun: "Organization", getKey: getKey, omitted };
    const { mergedIds, results } = await mergeRecords(options, updates, found, (merged) =>
      replaceOrganizationRecords(
        acrossOrganizations(transaction),
        merged.map(({ id, record }) => ({ organizationKey: getKey(id), record })),
      ),
    );
    await recordOrganizationEvents(transaction, workspace, mergedIds);
    return results;
  });
}
