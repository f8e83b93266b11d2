import Type from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { ActivityServiceConfig } from "./activity-config.ts";
import { selectActivityConfig } from "./activity-config-queries.ts";

/** Reads the activity configuration of the caller's workspace. */
export const getActivityConfig = operation({
  path: "/v2/workspace/activityconfig/get",
  summary: "Read the configuration of the activity service",
  message: "Activity configuration retrieved.",
  scope: "read",
  request: Type.Object({}),
  response: Type.Object({ activityServiceConfig: ActivityServiceConfig }),
  example: {},
  handle,
});

async function handle({ database, workspace }: Context) {
  const activityServiceConfig = await selectActivityConfig(database, workspace.id);
  if (!activityServiceConfig) throw new Error("the caller's workspace is gone");
  return { activityServiceConfig };
}
