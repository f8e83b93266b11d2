/** Maximum length of a URL that a caller sends. */
export const MAX_WEB_URL_LENGTH = 2048;

/** Characters that URL drops, or reads as others. */
const REPLACED = /[\s\\\p{Cc}]/u;

/**
 * Returns an absolute http or https URL, or undefined for any other text, also for one that browsers would only mend,
 * such as `https:host`, or a URL after a blank. What people check when they read it is what is used.
 */
export function parseWebUrl(text: string): URL | undefined {
  if (!text.isWellFormed() || REPLACED.test(text) || !/^https?:\/\/[^/?#]/i.test(text)) return undefined;
  return URL.parse(text) ?? undefined;
}
