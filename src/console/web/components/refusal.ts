/** Returns the ID of the organization that is disabled according to an error message of the API. */
export function disabledOrganization(message: string): string | undefined {
  const quoted = /^Organization ("(?:[^"\\]|\\.)*") is disabled/.exec(message)?.[1];
  return quoted === undefined ? undefined : JSON.parse(quoted);
}

/** Returns whether an error message of the API is about an invalid page token. */
export function isOfPageToken(message: string): boolean {
  return /\bdata\.pageToken\b/.test(message);
}
