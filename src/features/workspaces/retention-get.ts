import Type from "typebox";
import { Retention } from "../../contract/host.ts";
import { type Context, operation } from "../../contract/operation.ts";

/** Returns for how long the service keeps data. */
export const getRetention = operation({
  path: "/v2/workspace/retention/get",
  summary: "Read for how long data is kept",
  description:
    "Returns the times after which the service deletes data on its own. They are settings of the service and the " +
    "same for all workspaces.",
  message: "Retention retrieved.",
  scope: "read",
  request: Type.Object({}),
  response: Retention,
  example: {},
  handle,
});

async function handle({ host }: Context) {
  return host.retention;
}
