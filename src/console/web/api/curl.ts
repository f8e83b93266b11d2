import { escapeBidiControls } from "../components/bidi.ts";

/** Placeholder for the auth token, which the console never knows. */
export const TOKEN_PLACEHOLDER = "YOUR_AUTH_TOKEN";

/** Placeholder for the API key of a visitor who is not signed in. */
export const KEY_PLACEHOLDER = "YOUR_API_KEY";

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
  const headers = Object.entries(buildHeaders(credentials)).map(([name, value]) => `${name}: ${value}`);
  return [
    `curl ${quoted(`${serviceUrl}${path}`)}`,
    ...headers.map((header) => `-H ${quoted(header)}`),
    `-d ${quoted(escapeBidiControls(JSON.stringify({ data }, null, isIndented ? 2 : 0)))}`,
  ].join(" \\\n  ");
}

/** Returns the request as TypeScript that needs no package and runs in Node.js and in browsers. */
export function typescriptCode({ path, data }: CurlRequest, { serviceUrl, ...credentials }: Service): string {
  const body = escapeBidiControls(JSON.stringify({ data }, null, 2)).replaceAll("\n", "\n  ");
  const headers = Object.entries(buildHeaders(credentials)).map(([name, value]) => `"${name}": ${literal(value)},`);
  return [
    `const response = await fetch(${literal(`${serviceUrl}${path}`)}, {`,
    '  method: "POST",',
    "  headers: {",
    ...headers.map((header) => `    ${header}`),
    "  },",
    `  body: JSON.stringify(${body}),`,
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    "const { result } = await response.json();",
    "",
  ].join("\n");
}

function literal(text: string): string {
  return escapeBidiControls(JSON.stringify(text));
}

type Credentials = Pick<Service, "apiKey" | "userToken">;

function buildHeaders({ apiKey, userToken }: Credentials): Record<string, string> {
  const contentType = { "content-type": "application/json" };
  if (userToken !== undefined) return { ...contentType, authorization: `Bearer ${userToken}` };
  if (apiKey === undefined) return contentType;
  return { ...contentType, "x-service-api-key": apiKey, "x-service-auth-token": TOKEN_PLACEHOLDER };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
