import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { listTokens } from "../queries.ts";

const Time = Type.Integer({ description: "Milliseconds since the epoch." });
const TimeOrNull = Type.Union([Time, Type.Null()]);

/** Without the secrets, of which only hashes are kept. */
export const getAuthTokens = operation({
  path: "/v2/workspace/authtokens/get",
  summary: "Read the auth tokens of the workspace",
  description:
    "The oldest first, without their secret; `expiresAt` null: never. `lastUsedAt` is written some seconds after the " +
    "use. Revoked tokens are gone; expired ones stay until they are revoked.",
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
