import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifiers, perId } from "../../contract/schema.ts";
import { recordAccessChange } from "../event-log/record-events.ts";
import { deletionResults, RecordResult } from "../tenancy/metadata.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { acrossOrganizations, openOrganization } from "../tenancy/organization-scope.ts";
import { lockOrganizationRecords, markDeleted } from "./organization-queries.ts";
import { PURGE_ORGANIZATION } from "./purge/job.ts";

const Request = Type.Object({ organizationIds: Identifiers });

/** Deletes organizations. They are inaccessible at once; a job purges their data and then frees the id. */
export const deleteOrganizations = operation({
  path: "/v2/organizations/delete",
  aliases: ["/v1/organizations/delete"],
  summary: "Delete organizations with everything in them",
  description:
    "From the moment of the response no operation can read or write data of the organization, on any process: " +
    "reads of organizations leave it out, all other operations are FAILED_PRECONDITION. A job purges its data. " +
    "When the job is done, the ID can be used again. An organization that does not exist or is already being " +
    "deleted fails alone.",
  message: "Organizations deleted.",
  scope: "write",
  request: Request,
  deletes: ["organizationIds"],
  response: perId(RecordResult),
  audit: "organization.delete",
  example: { organizationIds: ["acme-archive"] },
  handle,
});

async function handle({ database, workspace, jobs, audit }: Context, { organizationIds }: Static<typeof Request>) {
  const getKey = (id: string) => organizationKey(workspace.id, id);
  const keys = organizationIds.map(getKey);
  const found = await database.transaction(async (transaction) => {
    const records = await lockOrganizationRecords(acrossOrganizations(transaction), keys);
    const marked = await markDeleted(acrossOrganizations(transaction), keys);
    await jobs.send(transaction, PURGE_ORGANIZATION, marked);
    if (marked.length > 0) await audit(transaction, { organizationIds: [...records.keys()] });
    const markedKeys = new Set(marked.map((one) => one.organizationKey));
    for (const id of records.keys()) {
      const scope = openOrganization(transaction, workspace, id);
      if (markedKeys.has(scope.key)) await recordAccessChange(scope);
    }
    return records;
  });
  return deletionResults({ noun: "Organization", getKey }, organizationIds, found);
}
