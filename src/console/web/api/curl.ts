import { escapeBidiControls } from "../components/bidi.ts";

/** Placeholder for the auth token, which the console never knows. */
export const TOKEN_PLACEHOLDER = "YOUR_AUTH_TOKEN";

/** A request to the API. Its path is a plain string, because the reference page reads paths from OpenAPI. */
export interface CurlRequest {
  path: string;
  data: unknown;
}

interface Service {
  /** Base URL without a trailing slash. */
  serviceUrl: string;
  /** API key of a call by a backend. Undefined for a public operation and for a call by a user. */
  apiKey?: string | undefined;
  /** User token of a call by a user. */
  userToken?: string;
  isIndented?: boolean;
}

/** Returns the request as a curl command for a POSIX shell. */
export function curlCommand({ path, data }: CurlRequest, { serviceUrl, isIndented, ...credentials }: Service): string {
  const headers = ["content-type: application/json", ...credentialHeaders(credentials)];
  return [
    `curl ${quoted(`${serviceUrl}${path}`)}`,
    ...headers.map((header) => `-H ${quoted(header)}`),
    `-d ${quoted(escapeBidiControls(JSON.stringify({ data }, null, isIndented ? 2 : 0)))}`,
  ].join(" \\\n  ");
}

function credentialHeaders({ apiKey, userToken }: Pick<Service, "apiKey" | "userToken">): string[] {
  if (userToken !== undefined) return [`authorization: Bearer ${userToken}`];
  return apiKey === undefined ? [] : [`x-service-api-key: ${apiKey}`, `x-service-auth-token: ${TOKEN_PLACEHOLDER}`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
