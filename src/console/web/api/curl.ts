import type { ApiRequest } from "./call.ts";

/** Stands where a secret would; the page never knows one. */
export const TOKEN_PLACEHOLDER = "YOUR_AUTH_TOKEN";

interface Service {
  /** Without a slash at its end. */
  serviceUrl: string;
  apiKey: string;
}

/** The request as a command for a POSIX shell. */
export function curlOf({ path, data }: ApiRequest, { serviceUrl, apiKey }: Service): string {
  return [
    `curl ${quoted(`${serviceUrl}${path}`)}`,
    `-H ${quoted("content-type: application/json")}`,
    `-H ${quoted(`x-service-api-key: ${apiKey}`)}`,
    `-H ${quoted(`x-service-auth-token: ${TOKEN_PLACEHOLDER}`)}`,
    `-d ${quoted(JSON.stringify({ data }))}`,
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
