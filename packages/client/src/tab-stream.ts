import { untilAborted } from "./back-off.ts";
import type { Connection } from "./connection.ts";
import { readClaims } from "./credentials.ts";
import { ColloquyError } from "./errors.ts";
import { followStream, type Message, type StreamFilter, type StreamOptions } from "./stream.ts";
import { type Outcome, TabMember } from "./tab-member.ts";
import type { TabPage } from "./tab-page.ts";

/** Version of what tabs send each other. Tabs with another one do not share a stream. */
const VERSION = 1;
/** Claims that differ from token to token of the same user. */
const CLAIMS_OF_TOKENS = new Set(["exp", "iat", "nbf", "jti", "num", "expiresAt"]);

/**
 * Yields the messages of a stream that all tabs of an origin share whose user, organization and service are the same:
 * browsers open only six connections to a host over HTTP/1.1. One tab holds the stream. Where that is impossible, each
 * call has a stream of its own.
 */
export async function* followInTabs(
  page: TabPage,
  connection: Connection,
  options: StreamOptions,
): AsyncGenerator<Message, never> {
  const { filter, signal, onStatus = () => {} } = options;
  let { cursor } = options;
  for (;;) {
    // If the token cannot be fetched, a stream of its own tries again, or throws the error.
    const name = await untilAborted(getName(page, connection, filter), signal).catch(() => undefined);
    if (name === undefined) break;
    const hasOtherUser = async () => name !== (await getName(page, connection, filter).catch(keepIfRetryable(name)));
    const member = new TabMember({ page, connection, filter, name, cursor, onStatus, hasOtherUser, signal });
    let outcome: Outcome;
    try {
      outcome = yield* member.follow();
    } finally {
      member.leave();
      onStatus("connecting");
    }
    cursor = member.cursor;
    if (outcome === "alone") break;
    if (outcome === "hidden") await untilShown(page, signal);
  }
  return yield* followStream(connection, { ...options, cursor });
}

/** Returns the name of the tabs that can share a stream with this one; undefined if the token has no claims. */
export async function getName(
  page: Pick<TabPage, "location">,
  connection: Connection,
  filter: StreamFilter,
): Promise<string | undefined> {
  const claims = readClaims(await connection.authenticator.userToken());
  const { organizationId, documentId, documentIds = [], inbox, activities, kinds } = filter;
  const isWhole = documentId === undefined && documentIds.length === 0 && !inbox && !activities;
  const { href } = new URL(connection.url, page.location.href);
  const parts = ["colloquy", VERSION, href, connection.apiKey, organizationId, isWhole, kinds, claims];
  return claims && JSON.stringify(parts, (key, value) => (CLAIMS_OF_TOKENS.has(key) ? undefined : value));
}

/** Returns the function that takes the user as the same while another token cannot be fetched. */
function keepIfRetryable(name: string): (error: unknown) => string {
  return (error) => {
    if (error instanceof ColloquyError && error.isRetryable) return name;
    throw error;
  };
}

/** Resolves when a page that was hidden in the history of its tab, or frozen, is shown again. */
async function untilShown(page: TabPage, signal: AbortSignal | undefined): Promise<void> {
  let show = () => {};
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  page.addEventListener("pageshow", show);
  page.document.addEventListener("resume", show);
  try {
    await untilAborted(shown, signal);
  } finally {
    page.removeEventListener("pageshow", show);
    page.document.removeEventListener("resume", show);
  }
}
