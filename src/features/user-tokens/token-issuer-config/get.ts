import Type from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { readTokenIssuerConfig, TokenIssuerConfig } from "./token-issuer-config.ts";
import { selectTokenIssuerConfig } from "./token-issuer-config-queries.ts";

/** Reads whose tokens the workspace accepts besides those of the service. */
export const getTokenIssuerConfig = operation({
  path: "/v2/workspace/tokenissuerconfig/get",
  summary: "Read the configuration of the token issuer",
  description: "Before the first update, `isEnabled` is false, and the issuer, its keys and the audience are empty.",
  message: "Token issuer configuration retrieved.",
  scope: "read",
  request: Type.Object({}),
  response: TokenIssuerConfig,
  example: {},
  handle,
});

async function handle({ database, workspace }: Context) {
  return readTokenIssuerConfig(await selectTokenIssuerConfig(database, workspace.id));
}
