/** The organization that was refused because it is disabled, from the message of the API. */
export function disabledOrganization(message: string): string | undefined {
  const quoted = /^Organization ("(?:[^"\\]|\\.)*") is disabled/.exec(message)?.[1];
  return quoted === undefined ? undefined : JSON.parse(quoted);
}

/** Whether the token of a page was refused: it is of other filters, of another server, or spoilt. */
export function isOfPageToken(message: string): boolean {
  return /\bdata\.pageToken\b/.test(message);
}
