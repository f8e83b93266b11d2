import { parseWebUrl } from "../../../contract/web-url.ts";

/** Returns what is wrong with the URL of a webhook, or undefined. It may have a user name and password. */
export function findWebhookUrlError(text: string, allowPrivateAddresses: boolean): string | undefined {
  const url = parseWebUrl(text);
  if (url?.protocol === "https:") return undefined;
  if (url?.protocol === "http:") {
    return allowPrivateAddresses ? undefined : "must be an https URL, unless ALLOW_PRIVATE_ADDRESSES is set";
  }
  return `must be an https URL, such as https://example.com/webhooks${allowPrivateAddresses ? ", or an http URL" : ""}`;
}
