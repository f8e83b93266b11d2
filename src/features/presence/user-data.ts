import { purgeRowsStep } from "../purge/steps.ts";
import type { DeletedUsers, UserDataKind } from "../purge/user-data-kind.ts";
import type { StoredOrganization } from "../tenancy/organization-scope.ts";
import { selectAddresses, selectPresenceExportPage } from "./presence-queries.ts";

async function* findAddresses(organization: StoredOrganization, users: DeletedUsers): AsyncGenerator<string> {
  for (const text of await selectAddresses(organization, users)) yield JSON.parse(text);
}

/** Purges and exports the presence of users. */
export const presenceData: UserDataKind = {
  kind: "presence",
  columns: { presence: ["user_id", "name", "email"], presence_connections: ["user_id"] },
  findAddresses,
  steps: [
    purgeRowsStep({ table: "presence_connections", writtenAt: "connected_at" }),
    purgeRowsStep({ table: "presence", writtenAt: "last_active" }),
  ],
  selectPage: selectPresenceExportPage,
};
