import { stripMentionsStep } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";

/** Organizations stay, without mentions of the users in their metadata. */
export const organizationData: UserDataKind = {
  kind: "organizations",
  columns: { organizations: ["record", "name"] },
  steps: [stripMentionsStep({ table: "organizations", key: ["organization_id"], hasBytes: true }, [])],
};
