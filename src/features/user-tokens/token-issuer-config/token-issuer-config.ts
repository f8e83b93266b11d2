import Type, { type Static } from "typebox";
import { ACCESS_ROLES } from "../../../contract/end-user.ts";
import { type Issue, invalidFields } from "../../../contract/errors.ts";
import { isIdentifier } from "../../../contract/schema.ts";
import { parseWebUrl } from "../../../contract/web-url.ts";

const MAX_ROLES = 100;

const Text = (maxLength: number, description: string) =>
  Type.Refine(
    Type.String({ maxLength, description }),
    (text) => !/\p{Cc}/u.test(text) && text.isWellFormed(),
    () => "must have no control characters",
  );

const claim = (description: string) => Text(256, description);

const Claims = Type.Object(
  {
    userId: claim("The ID of the user. `sub` before the first update."),
    name: claim("The name of the user. `name` before the first update."),
    email: claim("The email address of the user. `email` before the first update."),
    photoUrl: claim("The URL of the user's photo. `picture` before the first update."),
    organizations: claim("The ID of an organization, or a list of IDs. Without it, tokens grant nothing."),
    roles: claim("A role of the issuer, or a list of roles, which `roles` translates."),
  },
  {
    description:
      "Names of the claims to read. A claim in another one has a path, such as `app_metadata.organization`. A name " +
      "that is itself a claim precedes, such as `https://acme.example/org`. A claim with an empty name is not read.",
  },
);

const Role = Type.Enum(ACCESS_ROLES);

const fields = {
  isEnabled: Type.Boolean({ description: "Whether tokens of the issuer are accepted." }),
  issuer: Text(512, "The claim `iss` of the tokens, compared character by character."),
  jwksUrl: Text(2048, "URL of the issuer's signing keys, a JSON Web Key Set."),
  audience: Text(512, "Who the tokens must be for."),
  audienceClaim: Type.Enum(["aud", "azp"], {
    description: "Claim that has the audience. `azp` suits issuers whose tokens have no `aud`.",
  }),
  roles: Type.Record(Type.String(), Role, {
    maxProperties: MAX_ROLES,
    description: "The role on the organizations, by the role of the issuer. The highest of several counts.",
  }),
  defaultRole: Type.Enum(ACCESS_ROLES, { description: "The role of users without any of `roles`." }),
};

export const TokenIssuerConfig = Type.Object(
  { ...fields, claims: Claims },
  {
    title: "TokenIssuerConfig",
    examples: [
      {
        ...{ isEnabled: true, issuer: "https://example.eu.auth0.com/" },
        jwksUrl: "https://example.eu.auth0.com/.well-known/jwks.json",
        ...{ audience: "https://colloquy.example.com", audienceClaim: "aud" },
        claims: {
          ...{ userId: "sub", name: "name", email: "email", photoUrl: "picture" },
          ...{ organizations: "org_id", roles: "https://example.com/roles" },
        },
        roles: { admin: "moderator", member: "editor" },
        defaultRole: "viewer",
      },
    ],
  },
);
export type TokenIssuerConfig = Static<typeof TokenIssuerConfig>;

const Update = Type.Partial(Type.Object({ ...fields, claims: Type.Partial(Claims) }));

export const TokenIssuerConfigUpdate = Type.Refine(
  Update,
  (changes) => Object.keys(changes).length > 0,
  () => `must have one of ${Object.keys(TokenIssuerConfig.properties).join(", ")}`,
);
export type TokenIssuerConfigUpdate = Static<typeof TokenIssuerConfigUpdate>;

const BEFORE_ANY_UPDATE: TokenIssuerConfig = {
  isEnabled: false,
  issuer: "",
  jwksUrl: "",
  audience: "",
  audienceClaim: "aud",
  claims: { userId: "sub", name: "name", email: "email", photoUrl: "picture", organizations: "", roles: "" },
  roles: {},
  defaultRole: "viewer",
};

/** Reads the stored configuration, which is missing before the first update. */
export function readTokenIssuerConfig(stored: string | null): TokenIssuerConfig {
  return stored === null ? BEFORE_ANY_UPDATE : JSON.parse(stored);
}

/** Replaces the fields and names of claims that are sent, and keeps the others. */
export function mergeTokenIssuerConfig(before: TokenIssuerConfig, changes: TokenIssuerConfigUpdate): TokenIssuerConfig {
  return { ...before, ...changes, claims: { ...before.claims, ...changes.claims } };
}

/** Throws INVALID_ARGUMENT if tokens could not be verified, or not safely, by the configuration. */
export function requireUsable(config: TokenIssuerConfig, allowPrivateAddresses: boolean): void {
  const issues: Issue[] = [];
  const { isEnabled, issuer, jwksUrl, audience, claims } = config;
  for (const [name, value] of Object.entries({ issuer, jwksUrl, audience })) {
    if (isEnabled && value === "") issues.push({ path: `data.${name}`, message: "is required to enable the issuer" });
  }
  if (claims.userId === "") issues.push({ path: "data.claims.userId", message: "must not be empty" });
  if (!Object.keys(config.roles).every((name) => name !== "" && isIdentifier(name))) {
    issues.push({
      path: "data.roles",
      message: "must have names of 1 to 256 characters, none of them a control character",
    });
  }
  const urlError = jwksUrl === "" ? undefined : findUrlError(jwksUrl, allowPrivateAddresses);
  if (urlError !== undefined) issues.push({ path: "data.jwksUrl", message: urlError });
  const [first, ...others] = issues;
  if (first) throw invalidFields(first, ...others);
}

/** Returns what is wrong with the URL, or undefined. Without TLS, anybody on the way could replace the keys. */
function findUrlError(text: string, allowPrivateAddresses: boolean): string | undefined {
  const url = parseWebUrl(text);
  if (url && (url.username !== "" || url.password !== "")) return "must have no user name and password";
  if (url?.protocol === "https:") return undefined;
  if (url?.protocol === "http:") {
    return allowPrivateAddresses ? undefined : "must be an https URL, unless ALLOW_PRIVATE_ADDRESSES is set";
  }
  return "must be an https URL, such as https://example.eu.auth0.com/.well-known/jwks.json";
}
