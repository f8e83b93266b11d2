import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { keyedById, perId } from "../../contract/schema.ts";
import { mergeFields } from "../../json/record-texts.ts";
import { IdentifiedResult } from "../tenancy/metadata.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { recordOrganizationEvents } from "./event-log.ts";
import { getOrganizations } from "./get.ts";
import { NewOrganization, OMITTED_FIELDS } from "./organization.ts";
import { insertOrganizations } from "./organization-queries.ts";

const Request = Type.Object({ organizations: Type.Array(NewOrganization, { minItems: 1, maxItems: 500 }) });

/** Adds organizations. One that exists fails alone and stays unchanged. */
export const addOrganizations = operation({
  path: "/v2/organizations/add",
  aliases: ["/v1/organizations/add"],
  summary: "Add organizations",
  description:
    "An organization that exists fails alone, also if it was created implicitly; change it with " +
    "`/v2/organizations/update`. Further fields are metadata, stored as sent: up to 64 KiB of JSON per " +
    "organization. `id` and `disabled` are set by the service, so they are rejected. The `id` of each item is the " +
    "organization key.",
  message: "Organizations added.",
  scope: "write",
  request: Request,
  returned: {
    by: getOrganizations,
    field: "organizations",
    id: "organizationId",
    returnedId: "id",
    request: (_, organizationIds) => ({ organizationIds }),
  },
  response: perId(IdentifiedResult),
  example: { organizations: [{ organizationId: "globex", organizationName: "Globex Corporation", plan: "team" }] },
  handle,
});

async function handle({ database, workspace }: Context, { organizations }: Static<typeof Request>) {
  const ids = organizations.map(({ organizationId }) => organizationId);
  rejectRepeatedIds(ids, "organizations", "organizationId");
  const getKey = (organizationId: string) => organizationKey(workspace.id, organizationId);
  // The records are composed after the first statement, so that other requests run between parsing and composing.
  const added = await database.transaction(async (transaction) => {
    const records = mergeFields(
      organizations.map((fields) => ({ id: fields.organizationId, record: '{"organizationName":""}', fields })),
      OMITTED_FIELDS,
    );
    const rows = records.map(({ id, record }) => ({ organizationId: id, organizationKey: getKey(id), record }));
    const ids = await insertOrganizations(acrossOrganizations(transaction), workspace.id, rows);
    await recordOrganizationEvents(transaction, workspace, ids);
    return ids;
  });
  return keyedById(
    ids.map((id) => [
      id,
      added.has(id)
        ? { success: true, id: getKey(id), message: "Organization added." }
        : { success: false, id: getKey(id), message: "Organization exists already, or is still being deleted." },
    ]),
  );
}
