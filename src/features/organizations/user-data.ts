import { mentionsIn } from "../user-data/steps.ts";
import type { UserData } from "../user-data/user-data.ts";

/** Organizations stay; in their metadata the users are not named any more. */
export const organizationData: UserData = {
  kind: "organizations",
  columns: { organizations: ["record", "name"] },
  steps: [mentionsIn({ table: "organizations", key: ["organization_id"], hasBytes: true }, [])],
};
