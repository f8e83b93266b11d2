import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { PURGE_ORGANIZATION } from "./purge/job.ts";
import { lockRecords, markDeleted } from "./queries.ts";

/** Out of reach from the answer on, and gone once a job has deleted everything of it; the id is free again then. */
export const deleteOrganizations = operation({
  path: "/v2/organizations/delete",
  summary: "Delete organizations with everything in them",
  description:
    "From the moment of the answer no operation reads or writes anything of the organization, on any server: reads " +
    "of organizations leave it out, all others answer FAILED_PRECONDITION. A job deletes its data, however much " +
    "there is; when that is done the id is free for a new organization. A missing organization, and one that is " +
    "being deleted already, fails alone.",
  message: "Organizations deleted.",
  request: Type.Object({ organizationIds: Identifiers }),
  response: perId(ItemResult),
  example: { organizationIds: ["acme-archive"] },
  async handle({ workspace, database, jobs }, { organizationIds }) {
    const keys = organizationIds.map((id) => organizationKey(workspace.id, id));
    const found = await database.transaction(async (transaction) => {
      const records = await lockRecords(transaction, keys);
      const marked = await markDeleted(transaction, keys);
      await jobs.send(transaction, PURGE_ORGANIZATION, marked);
      return records;
    });
    return keyedById(
      organizationIds.map((id) => [
        id,
        found.has(id)
          ? { success: true, message: "Organization deleted." }
          : { success: false, message: "Organization not found." },
      ]),
    );
  },
});
