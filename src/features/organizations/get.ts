import Type from "typebox";
import { operation } from "../../http/operation.ts";
import { Identifiers } from "../../http/schema.ts";
import { Organization } from "./organization.ts";
import { selectOrganizations } from "./queries.ts";

/** Unknown ids are left out; without ids it reads the first 1,000 by id. */
export const getOrganizations = operation({
  path: "/v1/organizations/get",
  summary: "Read organizations by id",
  description: "Unknown ids are left out. Without `organizationIds`: all, up to 1,000, by id.",
  message: "Organizations retrieved.",
  request: Type.Object({ organizationIds: Type.Optional(Identifiers) }),
  response: Type.Array(Organization),
  example: { organizationIds: ["acme"] },
  handle: ({ workspace, database }, { organizationIds }) =>
    selectOrganizations(database, workspace.id, organizationIds),
});
