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
  /** Undefined for a public operation. */
  apiKey: string | undefined;
  isIndented?: boolean;
}

/** Returns the request as a curl command for a POSIX shell. */
export function curlCommand({ path, data }: CurlRequest, { serviceUrl, apiKey, isIndented }: Service): string {
  const credentials = [`x-service-api-key: ${apiKey}`, `x-service-auth-token: ${TOKEN_PLACEHOLDER}`];
  return [
    `curl ${quoted(`${serviceUrl}${path}`)}`,
    `-H ${quoted("content-type: application/json")}`,
    ...(apiKey === undefined ? [] : credentials.map((header) => `-H ${quoted(header)}`)),
    `-d ${quoted(escapeBidiControls(JSON.stringify({ data }, null, isIndented ? 2 : 0)))}`,
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
