import Type from "typebox";
import { Switches } from "../switches.ts";

export const changeableFields = {
  isEnabled: Type.Boolean({ description: "Whether activities can be added." }),
  immutable: Type.Boolean({ description: "Whether activities can only be added, not changed or deleted." }),
  triggers: Switches,
};

export const ActivityServiceConfig = Type.Object({
  isEnabled: changeableFields.isEnabled,
  immutable: changeableFields.immutable,
  enabledTime: Type.Union([Type.Integer(), Type.Null()], {
    description: "Time when the service was last turned on, in milliseconds since the epoch. Null if never.",
  }),
  triggers: Switches,
});
