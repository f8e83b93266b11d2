import { addActivities } from "./features/activities/add.ts";
import { deleteActivities } from "./features/activities/delete.ts";
import { getActivities } from "./features/activities/get.ts";
import { updateActivities } from "./features/activities/update.ts";
import { updateDisableState } from "./features/organizations/access-disablestate-update.ts";
import { getOrganizations } from "./features/organizations/get.ts";
import type { Operation } from "./http/operation.ts";

/** Every operation of the service, sorted by path. */
export const operations: readonly Operation[] = [
  getOrganizations,
  addActivities,
  deleteActivities,
  getActivities,
  updateActivities,
  updateDisableState,
];
