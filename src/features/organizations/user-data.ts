import { mentionsIn } from "../erasure/steps.ts";
import type { UserDataKind } from "../erasure/user-data-kind.ts";

/** Organizations stay; in their metadata the users are not named any more. */
export const organizationData: UserDataKind = {
  kind: "organizations",
  columns: { organizations: ["record", "name"] },
  steps: [mentionsIn({ table: "organizations", key: ["organization_id"], hasBytes: true }, [])],
};
