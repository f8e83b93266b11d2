import type { RequestData, ResponseData } from "../../../api/call.ts";
import type { AccessRole } from "../../../components/access-roles.ts";

export type TokenIssuerConfig = ResponseData<"/v2/workspace/tokenissuerconfig/get">;
type Update = RequestData<"/v2/workspace/tokenissuerconfig/update">;
type Claim = keyof TokenIssuerConfig["claims"];

/** State of the form. */
export interface TokenIssuerForm extends Omit<TokenIssuerConfig, "roles"> {
  /** A line such as `admin: moderator` for each role of the issuer. */
  roles: string;
}

export const AUDIENCE_CLAIMS: { value: TokenIssuerConfig["audienceClaim"]; label: string }[] = [
  { value: "aud", label: "aud" },
  { value: "azp", label: "azp" },
];

/** Labels of the claims, in the order of the form. */
export const CLAIM_LABELS: Record<Claim, { label: string; placeholder: string }> = {
  userId: { label: "User ID", placeholder: "sub" },
  name: { label: "Name", placeholder: "name" },
  email: { label: "Email", placeholder: "email" },
  photoUrl: { label: "Photo", placeholder: "picture" },
  organizations: { label: "Organizations", placeholder: "org_id" },
  roles: { label: "Roles of the issuer", placeholder: "realm_access.roles" },
};
export const CLAIMS = Object.keys(CLAIM_LABELS).filter((name): name is Claim => name in CLAIM_LABELS);

/** Paths of the fields in the request, by which errors name them. */
export const FIELD_PATHS = [
  ...["data.issuer", "data.jwksUrl", "data.audience", "data.roles"],
  ...CLAIMS.map((name) => `data.claims.${name}`),
];

/** Returns the form for the stored settings. */
export function toForm({ roles, ...config }: TokenIssuerConfig): TokenIssuerForm {
  const lines = Object.entries(roles).map(([name, role]) => `${name}: ${role}`);
  return { ...config, roles: lines.join("\n") };
}

/** Returns the update that saves the form. The API rejects a role that is none of its own. */
export function toUpdate({ roles, claims, issuer, jwksUrl, audience, ...rest }: TokenIssuerForm): Update {
  const trimmed = Object.fromEntries(CLAIMS.map((name) => [name, claims[name].trim()]));
  return {
    ...rest,
    ...{ issuer: issuer.trim(), jwksUrl: jwksUrl.trim(), audience: audience.trim() },
    claims: trimmed,
    roles: getRoles(roles),
  };
}

/** Returns the roles of the lines. A role of the issuer may have colons, so the last one separates. */
function getRoles(text: string): Record<string, AccessRole> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.lastIndexOf(":");
      const [name, role] = colon === -1 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)];
      return [name.trim(), asRole(role.trim().toLowerCase())];
    }),
  );
}

/** Casts the name of a role, which the API checks. */
function asRole(text: string): AccessRole {
  return text as AccessRole;
}
