import Type from "typebox";
import { MAX_TIME } from "../../../contract/schema.ts";
import { Triggers } from "../triggers.ts";

export const changeableActivityConfigFields = {
  isEnabled: Type.Boolean({ description: "Whether activities can be added." }),
  immutable: Type.Boolean({ description: "Whether activities can only be added, not changed or deleted." }),
  enabledTime: Type.Integer({
    minimum: 0,
    maximum: MAX_TIME,
    description: "Time when the service was last turned on, in milliseconds since the epoch. Missing if never.",
  }),
  triggers: Triggers,
};

export const ActivityServiceConfig = Type.Object(
  {
    ...changeableActivityConfigFields,
    enabledTime: Type.Optional(changeableActivityConfigFields.enabledTime),
  },
  { title: "ActivityServiceConfig" },
);
