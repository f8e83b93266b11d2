import { escapeBidiControls } from "../components/bidi.ts";
import type { ApiRequest } from "./call.ts";

/** Stands where a secret would; the page never knows one. */
export const TOKEN_PLACEHOLDER = "YOUR_AUTH_TOKEN";

interface Service {
  /** Without a slash at its end. */
  serviceUrl: string;
  /** Undefined for an operation that needs none. */
  apiKey: string | undefined;
  /** Whether the data is laid out to be read. */
  isIndented?: boolean;
}

/** The request as a command for a POSIX shell. */
export function curlCommand({ path, data }: ApiRequest, { serviceUrl, apiKey, isIndented }: Service): string {
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
