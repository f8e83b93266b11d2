import { ServiceError } from "../../../contract/errors.ts";

/** Returns the error about a token that is not one of the workspace's token issuer. */
export function invalidIssuerToken(problem: string): ServiceError {
  return new ServiceError("user_token_invalid", `The user token ${problem}.`);
}
