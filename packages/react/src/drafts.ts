import type { Mention } from "@colloquy/client/stores";

/** Beginning of the names under which drafts are stored. The user follows. */
const PREFIX = "colloquy:draft:";

/** What a user has written, and not sent yet. */
export interface Draft {
  html: string;
  mentions: Mention[];
}

/** Returns the name under which the draft of a user is stored. `place` is where it is written, such as a thread. */
export function getDraftName(user: { organizationId: string; userId: string }, place: readonly unknown[]): string {
  return `${PREFIX}${JSON.stringify([user.userId, user.organizationId, ...place])}`;
}

/** Reads a draft. Returns undefined if there is none, or if the browser stores nothing. */
export function readDraft(name: string | undefined): Draft | undefined {
  try {
    const stored: unknown = name === undefined ? null : JSON.parse(localStorage.getItem(name) ?? "null");
    return isDraft(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a draft, or removes it. */
export function writeDraft(name: string | undefined, draft: Draft | undefined): void {
  if (name === undefined) return;
  try {
    if (draft) localStorage.setItem(name, JSON.stringify(draft));
    else localStorage.removeItem(name);
  } catch {
    // The browser stores nothing, or no more. The draft is kept while the page is open.
  }
}

/** Removes all drafts of a user. */
export function removeDrafts(userId: string): void {
  const start = `${PREFIX}${JSON.stringify([userId]).slice(0, -1)},`;
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(start)) localStorage.removeItem(name);
  } catch {
    // The browser stores nothing.
  }
}

function isDraft(stored: unknown): stored is Draft {
  return (
    typeof stored === "object" &&
    stored !== null &&
    "html" in stored &&
    typeof stored.html === "string" &&
    "mentions" in stored &&
    Array.isArray(stored.mentions)
  );
}
