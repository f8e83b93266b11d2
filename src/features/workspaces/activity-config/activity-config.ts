import Type from "typebox";
import { Switches } from "../switches.ts";

export const changeableActivityConfigFields = {
  isEnabled: Type.Boolean({ description: "Whether activities can be added." }),
  immutable: Type.Boolean({ description: "Whether activities can only be added, not changed or deleted." }),
  triggers: Switches,
};

export const ActivityServiceConfig = Type.Object({
  isEnabled: changeableActivityConfigFields.isEnabled,
  immutable: changeableActivityConfigFields.immutable,
  enabledTime: Type.Union([Type.Integer(), Type.Null()], {
    description: "Time when the service was last turned on, in milliseconds since the epoch. Null if never.",
  }),
  triggers: Switches,
});
