import Type, { type Static, type TProperties } from "typebox";
import { User } from "../../../contract/schema.ts";

const fields = {
  actionUser: Type.Optional(User),
  triggerActivities: Type.Optional(
    Type.Boolean({ default: false, description: "Whether each deletion writes an activity. Requires `actionUser`." }),
  ),
};

/** Returns the schema of a deletion that can write activities. */
export function withActivities<Properties extends TProperties>(properties: Properties) {
  return Type.Refine(
    Type.Object({ ...properties, ...fields }),
    ({ actionUser, triggerActivities }: Static<ReturnType<typeof Type.Object<typeof fields>>>) =>
      actionUser !== undefined || !triggerActivities,
    () => "must have actionUser with triggerActivities",
  );
}
