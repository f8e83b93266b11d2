import type { Operation } from "../contract/operation.ts";
import { apiKeyHeader, authTokenHeader } from "./authentication.ts";

/** Name of the security scheme of user tokens. */
const USER_TOKEN = "userToken";

const USER_TOKEN_SCHEME = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description:
    "Token of a user, from `/v2/auth/generate_token` or from the token issuer of the workspace. A token of the " +
    "issuer needs the API key too, one of the service needs no other header.",
};

/** Returns the credentials of a backend: the two headers of any header prefix. */
export function backendSecurity(headerPrefixes: readonly string[]): object[] {
  return headerPrefixes.map((headerPrefix) => ({
    [apiKeyHeader(headerPrefix)]: [],
    [authTokenHeader(headerPrefix)]: [],
  }));
}

/** Returns the credentials of an operation, if they are not those of a backend alone. */
export function getSecurity(operation: Operation, headerPrefixes: readonly string[]): object {
  if (operation.authentication === "none") return { security: [] };
  if (!operation.endUsers) return {};
  const ofIssuer = headerPrefixes.map((headerPrefix) => ({ [apiKeyHeader(headerPrefix)]: [], [USER_TOKEN]: [] }));
  return { security: [...backendSecurity(headerPrefixes), { [USER_TOKEN]: [] }, ...ofIssuer] };
}

/** Returns what a user needs who calls the operation with a user token. */
export function userSentence({ endUsers }: Operation): string {
  if (!endUsers) return "";
  const { role, on, identity, request } = endUsers;
  const isOnDocuments = on === "documents" || on === "resources";
  const needed = isOnDocuments ? ` The user needs the role \`${role}\` on the documents named.` : "";
  const filledIn = identity ? " The token says who the user is." : "";
  const narrower = request ? " Users may send fewer fields than a backend." : "";
  return ` User tokens may call it.${needed}${filledIn}${narrower}`;
}

/** Returns the security schemes of the document. */
export function securitySchemes(headerPrefixes: readonly string[]): object {
  return { ...Object.fromEntries(headerPrefixes.flatMap(headerSchemes)), [USER_TOKEN]: USER_TOKEN_SCHEME };
}

function headerSchemes(headerPrefix: string): [string, object][] {
  const [key, token] = [apiKeyHeader(headerPrefix), authTokenHeader(headerPrefix)];
  return [
    [key, { type: "apiKey", in: "header", name: key, description: "API key of the workspace." }],
    [token, { type: "apiKey", in: "header", name: token, description: "Secret auth token of the workspace." }],
  ];
}
