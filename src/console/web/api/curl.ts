import { SERVICE_URL } from "../address.ts";
import type { ApiRequest } from "./call.ts";

/** Stands where a secret would; the page never knows one. */
export const TOKEN_PLACEHOLDER = "YOUR_AUTH_TOKEN";

/** The request as a command for a POSIX shell. */
export function curlOf({ path, data }: ApiRequest, apiKey: string): string {
  return [
    `curl ${quoted(`${SERVICE_URL}${path}`)}`,
    `-H ${quoted("content-type: application/json")}`,
    `-H ${quoted(`x-service-api-key: ${apiKey}`)}`,
    `-H ${quoted(`x-service-auth-token: ${TOKEN_PLACEHOLDER}`)}`,
    `-d ${quoted(JSON.stringify({ data }))}`,
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
