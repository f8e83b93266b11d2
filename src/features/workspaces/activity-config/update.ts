import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { rejectTooMany } from "../switches.ts";
import { countTriggers, mergeTriggers } from "../triggers.ts";
import { ActivityServiceConfig, changeableActivityConfigFields } from "./activity-config.ts";
import { lockActivityConfig, setActivityConfig } from "./activity-config-queries.ts";

const Changes = Type.Refine(
  Type.Partial(Type.Object(changeableActivityConfigFields)),
  (changes) => Object.keys(changes).length > 0,
  () => `must have at least one of ${Object.keys(changeableActivityConfigFields).join(", ")}`,
);

const Request = Type.Object({ activityServiceConfig: Changes });

/** Merges the fields sent. Takes effect at once on this process and within a second on the others. */
export const updateActivityConfig = operation({
  path: "/v2/workspace/activityconfig/update",
  summary: "Update the configuration of the activity service",
  description:
    "Replaces the fields that are sent, merges `triggers` by name, and keeps the others. A trigger with the flat " +
    "name of an event, such as `comment.add`, is read as `{ comment: { added } }`. The service sets `enabledTime` " +
    "when `isEnabled` becomes true, unless it is sent.\n\nWhile `immutable` is true, updating and deleting " +
    "activities fails for each item, and adding an activity whose `id` exists fails unless it is identical. " +
    "`immutable` can be set to false again, so it protects activities from mistakes, not from a holder of an auth " +
    "token who intends to change them.",
  message: "Activity configuration updated.",
  scope: "admin",
  request: Request,
  response: Type.Object({ activityServiceConfig: ActivityServiceConfig }),
  audit: "activity_config.update",
  example: { activityServiceConfig: { isEnabled: true, immutable: false, triggers: { comment: { added: true } } } },
  handle,
});

async function handle(
  { database, workspace, audit, workspaceChanged }: Context,
  { activityServiceConfig: changes }: Static<typeof Request>,
) {
  const activityServiceConfig = await database.transaction(async (transaction) => {
    const before = await lockActivityConfig(transaction, workspace.id);
    const triggers = mergeTriggers(before?.triggers ?? {}, changes.triggers ?? {});
    rejectTooMany(countTriggers(triggers), "data.activityServiceConfig.triggers");
    await audit(transaction, { fields: Object.keys(changes) });
    return setActivityConfig(transaction, workspace.id, { ...changes, triggers });
  });
  if (!activityServiceConfig) throw new Error("the caller's workspace is gone");
  workspaceChanged();
  return { activityServiceConfig };
}
