import Type from "typebox";
import { JsonText, operation } from "../../contract/operation.ts";
import { Activity } from "./activity.ts";
import { selectNewestOfWorkspace } from "./queries.ts";

/** Reads the newest activities of the whole workspace, newest first. */
export const getWorkspaceActivities = operation({
  path: "/v2/workspace/activities/get",
  summary: "Read the newest activities of all organizations",
  description:
    "Returns activities in the format of `/v2/activities/get`, newest first; `metadata` names organization and " +
    "document. Disabled documents, and organizations that are disabled or being deleted, are left out. There is " +
    "only one page: it ends after `pageSize` activities or with the one that exceeds 8 MiB. Use " +
    "`/v2/activities/get` to read further back, one organization at a time.",
  message: "Activities retrieved.",
  scope: "read",
  request: Type.Object({ pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })) }),
  response: Type.Array(Activity),
  example: { pageSize: 20 },
  async handle({ workspace, database }, { pageSize = 20 }) {
    return new JsonText(await selectNewestOfWorkspace(database, workspace.id, pageSize));
  },
});
