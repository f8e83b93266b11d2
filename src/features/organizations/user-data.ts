import { redactMentionsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";

/** Organizations stay, without mentions of the users in their metadata. */
export const organizationData: UserDataKind = {
  kind: "organizations",
  columns: { organizations: ["record", "name"] },
  steps: [redactMentionsStep({ table: "organizations", key: ["organization_id"], hasBytes: true }, [])],
};
