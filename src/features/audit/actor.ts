import Type from "typebox";
import { ACTOR_TYPES } from "../../contract/audit.ts";

const NullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** Schema of who acted. */
export const Actor = Type.Object({
  type: Type.Enum(ACTOR_TYPES, { description: "`command_line` also stands for what a start creates." }),
  id: NullableText("ID of the auth token, the session or the user. Null if the data of the user were deleted."),
  name: NullableText("Name of the auth token, address of the session's owner, or ID of the user."),
});
