import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { listTokens } from "../queries.ts";

const Time = Type.Integer({ description: "Milliseconds since the epoch." });
const TimeOrNull = Type.Union([Time, Type.Null()]);

/** Lists auth tokens without their secrets, which are stored only as hashes. */
export const getAuthTokens = operation({
  path: "/v2/workspace/authtokens/get",
  summary: "Read the auth tokens of the workspace",
  description:
    "Returns tokens without their secrets, oldest first. `expiresAt` is null if the token does not expire. " +
    "`lastUsedAt` is updated some seconds after the use. Revoked tokens are missing; expired tokens are listed " +
    "until they are revoked.",
  message: "Auth tokens retrieved.",
  request: Type.Object({}),
  response: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      createdAt: Time,
      expiresAt: TimeOrNull,
      lastUsedAt: TimeOrNull,
    }),
  ),
  example: {},
  handle: ({ database, workspace }) => listTokens(database, workspace.id),
});
