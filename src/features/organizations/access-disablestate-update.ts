import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifiers, keyedById, perId } from "../../contract/schema.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import { recordAccessChange } from "../event-log/record-events.ts";
import { DELIVER_DELAYED_NOTIFICATIONS } from "../tenancy/deliver-delayed-notifications.ts";
import { IdentifiedResult } from "../tenancy/metadata.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { acrossOrganizations, openOrganization } from "../tenancy/organization-scope.ts";
import { recordOrganizationEvents } from "./event-log.ts";
import { setDisabled } from "./organization-queries.ts";

const Request = Type.Object({ organizationIds: Identifiers, disabled: Type.Boolean() });

/** Enables or disables organizations for every request that starts after the response. Creates missing ones. */
export const updateDisableState = operation({
  path: "/v2/organizations/access/disablestate/update",
  aliases: ["/v1/organizations/access/disablestate/update"],
  summary: "Enable or disable access to organizations",
  description:
    "A disabled organization rejects every read and write of its documents' data with PERMISSION_DENIED, for all " +
    "users, from the moment of the response. An organization that does not exist is created; one that is being " +
    "deleted fails alone. The `id` of each item is the organization key.",
  message: "Organizations' access updated.",
  scope: "write",
  request: Request,
  response: perId(IdentifiedResult),
  audit: "organization_access.update",
  example: { organizationIds: ["acme-archive"], disabled: true },
  handle,
});

async function handle(
  { database, workspace, jobs, audit }: Context,
  { organizationIds, disabled }: Static<typeof Request>,
) {
  const organizations = [...new Set(organizationIds)].map((organizationId) => ({
    organizationId,
    organizationKey: organizationKey(workspace.id, organizationId),
  }));
  const done = await database.transaction(async (transaction) => {
    const ids = await setDisabled(acrossOrganizations(transaction), workspace.id, organizations, disabled);
    if (ids.size > 0) await audit(transaction, { organizationIds: [...ids], disabled });
    for (const id of ids) await recordAccessChange(openOrganization(transaction, workspace, id));
    await recordOrganizationEvents(transaction, workspace, ids);
    if (!disabled) await jobs.send(transaction, DELIVER_DELAYED_NOTIFICATIONS, getKeys(organizations, ids));
    return ids;
  });
  const message = disabled ? "Organization disabled." : "Organization enabled.";
  return keyedById(
    organizations.map(({ organizationId, organizationKey: id }) => [
      organizationId,
      done.has(organizationId)
        ? { success: true, id, message }
        : { success: false, id, message: "Organization is being deleted." },
    ]),
  );
}

/** Returns the keys of the organizations with these ids. What was due while they were disabled is delivered. */
function getKeys(organizations: { organizationId: string; organizationKey: OrganizationKey }[], ids: Set<string>) {
  return organizations
    .filter(({ organizationId }) => ids.has(organizationId))
    .map((organization) => ({ organizationKey: organization.organizationKey }));
}
