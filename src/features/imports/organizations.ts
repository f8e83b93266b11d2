import Type from "typebox";
import { Identifier } from "../../contract/schema.ts";
import { addOrganizations } from "../organizations/add.ts";
import { getOrganizations } from "../organizations/get.ts";
import { updateOrganizations } from "../organizations/update.ts";
import { withMetadata } from "../tenancy/metadata.ts";
import { type ExportedRecord, importKind, type Outcome } from "./import-kind.ts";

/** Organizations with their metadata. Those that are disabled are disabled at the end. */
export const organizations = importKind({
  belongsTo: "workspace",
  batchSize: 500,
  schema: withMetadata({
    organizationId: Identifier,
    organizationName: Type.Optional(Type.String()),
    disabled: Type.Optional(Type.Boolean()),
  }),
  convert: ({ id, ...record }) => ({ item: { ...(id !== undefined && { organizationId: id }), ...record } }),
  async write({ operations, deferredDisabling }, { items }) {
    const organizationIds = items.map(({ item }) => item.organizationId);
    const found = await operations.readAll(getOrganizations, { organizationIds });
    const existing = new Map(found.map((organization) => [organization.id, organization]));
    const given = items.map(({ item: { disabled = false, ...organization } }) => {
      const stored = existing.get(organization.organizationId);
      if (disabled) deferredDisabling.addOrganization(organization.organizationId, { isDisabled: stored?.disabled });
      return { organization, stored };
    });
    const missing = given.filter(({ stored }) => !stored).map(({ organization }) => organization);
    const unnamed = given.filter(({ organization, stored }) => stored && isEmpty(stored) && !isEmpty(organization));
    const added = missing.length > 0 ? await operations.call(addOrganizations, { organizations: missing }) : {};
    const named = unnamed.map(({ organization }) => organization);
    const updated = named.length > 0 ? await operations.call(updateOrganizations, { organizations: named }) : {};
    return organizationIds.map((id): Outcome => {
      const result = added[id] ?? updated[id];
      if (!result) return "existed";
      return result.success ? "added" : { rejected: result.message };
    });
  },
});

/** Returns whether an organization has neither a name nor metadata, as after its implicit creation. */
function isEmpty({ id: _i, organizationId: _o, disabled: _d, organizationName = "", ...metadata }: ExportedRecord) {
  return organizationName === "" && Object.keys(metadata).length === 0;
}
