import { presenceStore } from "@colloquy/client/stores";
import { useSyncExternalStore } from "react";
import type { MentionCandidate } from "./mention-picker.tsx";
import { useSession } from "./provider.tsx";
import { type UserSearch, useUserSearch } from "./use-users.ts";

interface CandidatesOptions {
  documentId: string | undefined;
  /** Users who are offered if the provider has no `searchUsers`, beside those of the document. */
  participants: MentionCandidate[] | undefined;
}

/** Maximum number of users to offer. */
const MAX_CANDIDATES = 8;
const NOT_SHOWN = { subscribe: () => () => {}, getState: () => undefined };

/**
 * Returns the users and groups whose names match what was typed of a mention: those of `searchUsers`, or else those who
 * take part and those who are in the document.
 */
export function useMentionCandidates(
  typed: string | undefined,
  { documentId, participants = [] }: CandidatesOptions,
): Pick<UserSearch, "isLoading"> & { data: MentionCandidate[] } {
  const session = useSession();
  const found = useUserSearch(session.searchUsers ? typed : undefined, { documentId });
  const isPresenceShown = !session.searchUsers && typed !== undefined && documentId !== undefined;
  const { subscribe, getState } = isPresenceShown ? presenceStore(session, { documentId }) : NOT_SHOWN;
  const present = useSyncExternalStore(subscribe, getState, getState)?.data ?? [];
  if (session.searchUsers) return { data: found.data.slice(0, MAX_CANDIDATES), isLoading: found.isLoading };
  const known = new Map([...participants, ...present].map((user) => [user.userId, user]));
  const others = [...known.values()].filter(({ userId }) => userId !== session.userId);
  const matching = others.filter(({ userId, name = userId }) => matches(name, typed ?? ""));
  return { data: matching.slice(0, MAX_CANDIDATES), isLoading: false };
}

/** Returns whether a word of a name, or the name, begins with a text. Ignores case and accents. */
function matches(name: string, text: string): boolean {
  return ` ${toPlain(name)}`.includes(` ${toPlain(text)}`);
}

function toPlain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase();
}
