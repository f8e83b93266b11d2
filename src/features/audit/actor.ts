import Type from "typebox";
import { ACTOR_TYPES } from "../../contract/audit.ts";

const NullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** Schema of who acted. */
export const Actor = Type.Object({
  type: Type.Enum(ACTOR_TYPES, { description: "`command_line` also stands for what a start creates." }),
  id: NullableText("ID of the auth token or the session."),
  name: NullableText("Name of the auth token, or address of the session's owner. Null for the operator."),
});
