import { errors, type JWTPayload, jwtVerify } from "jose";
import type { EndUser } from "../../../contract/end-user.ts";
import { ServiceError } from "../../../contract/errors.ts";
import type { TokenIssuerConfig } from "../token-issuer-config/token-issuer-config.ts";
import { MAX_LIFETIME_SECONDS } from "../user-token.ts";
import { getClaimedUser } from "./claims.ts";
import { invalidIssuerToken } from "./invalid-issuer-token.ts";
import type { KeySets } from "./key-sets.ts";

/** Algorithms of issuers. All are asymmetric: nobody can sign with the public key that verifies. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** Tolerated difference between the clocks of an issuer and the service. */
const CLOCK_TOLERANCE_SECONDS = 10;

/** What is wrong with a claim of a token that is signed by the issuer. */
const CLAIM_PROBLEMS = new Map([
  ["iss", "is of another issuer than the workspace accepts"],
  ["aud", "is for another audience than the workspace accepts"],
  ["exp", "has no valid time of expiry (exp)"],
  ["iat", "has no time of issue (iat) in the past"],
  ["nbf", "is not valid yet (nbf)"],
]);

/** A workspace and the issuer that it accepts. */
export interface WorkspaceIssuer {
  workspaceId: string;
  config: TokenIssuerConfig;
}

/**
 * Verifies a token by the issuer that a workspace accepts, and returns its user. A token that has expired is returned
 * too. Throws PERMISSION_DENIED if the token is invalid, and UNAVAILABLE if the keys cannot be fetched.
 */
export async function verifyIssuerToken(
  keySets: KeySets,
  { workspaceId, config }: WorkspaceIssuer,
  token: string,
): Promise<EndUser> {
  if (!config.isEnabled) {
    throw invalidIssuerToken("is not signed by this service, and the workspace accepts no other token issuer");
  }
  const payload = await verify(keySets, { workspaceId, config }, token);
  const { iat = 0, exp = 0, azp } = payload;
  if (config.audienceClaim === "azp" && azp !== config.audience)
    throw invalidIssuerToken(`${CLAIM_PROBLEMS.get("aud")}`);
  return {
    ...getClaimedUser(payload, config),
    tokenNumber: 0,
    issuedAfter: Math.floor((iat - CLOCK_TOLERANCE_SECONDS) * 1000),
    // Revocations are kept for as long as tokens of the service are valid.
    expiresAt: Math.min(exp, iat + MAX_LIFETIME_SECONDS) * 1000,
  };
}

async function verify(
  keySets: KeySets,
  { workspaceId, config: { issuer, jwksUrl, audience, audienceClaim } }: WorkspaceIssuer,
  token: string,
): Promise<JWTPayload> {
  const keySet = keySets.get(workspaceId, jwksUrl);
  try {
    const { payload } = await jwtVerify(token, (header, jws) => keySet.find(header, jws), {
      algorithms: ALGORITHMS,
      issuer,
      ...(audienceClaim === "aud" && { audience }),
      requiredClaims: ["exp"],
      maxTokenAge: MAX_LIFETIME_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    return payload;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // Issuer and audience are checked before the time.
    if (error instanceof errors.JWTExpired) return error.payload;
    throw invalidIssuerToken(describe(error));
  }
}

/** Describes why a token is rejected. Keys that no algorithm can use throw errors of any class. */
function describe(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return CLAIM_PROBLEMS.get(error.claim) ?? `has an invalid claim ${JSON.stringify(error.claim)}`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) return "is signed under a key that its issuer does not publish";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "does not say which key of its issuer has signed it";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "has a wrong signature";
  return "cannot be verified by the keys of the issuer";
}
