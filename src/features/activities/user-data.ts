import { IMPORTABLE } from "../purge/owned-tables.ts";
import { purgeRowsStep, readAddresses, redactMentionsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";
import { selectActivityExportPage } from "./activity-queries.ts";

const ROWS = { table: "activities", key: ["id"], ...IMPORTABLE };

/** Activities of the users are purged; activities of others stay, without mentions of the users. */
export const activityData: UserDataKind = {
  kind: "activities",
  columns: { activities: ["user_id", "target_entity_id", "record"] },
  findAddresses: (organization, users) => readAddresses(organization, ROWS, "actionUser", users),
  steps: [
    purgeRowsStep(ROWS),
    redactMentionsStep({ ...ROWS, hasBytes: true, repeated: { target_entity_id: "targetEntityId" } }, [
      ...["id", "featureType", "actionType", "metadata"],
    ]),
  ],
  selectPage: selectActivityExportPage,
};
