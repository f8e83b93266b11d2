import Type from "typebox";
import { Switches } from "../switches.ts";

export const changeableFields = {
  isEnabled: Type.Boolean({ description: "Whether activities can be added." }),
  immutable: Type.Boolean({ description: "Whether activities can be added only, and not changed or deleted." }),
  triggers: Switches,
};

export const ActivityServiceConfig = Type.Object({
  isEnabled: changeableFields.isEnabled,
  immutable: changeableFields.immutable,
  enabledTime: Type.Union([Type.Integer(), Type.Null()], {
    description: "When it was last turned on, in milliseconds since the epoch; null before the first time.",
  }),
  triggers: Switches,
});
