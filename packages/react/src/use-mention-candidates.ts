import { matchesName, presenceStore, type UserProfile } from "@colloquy/client/stores";
import { useSyncExternalStore } from "react";
import { useSession } from "./provider.tsx";
import { type UserSearch, useUserSearch } from "./use-users.ts";

interface CandidatesOptions {
  documentId: string | undefined;
  /** Users who are offered first if the provider has no `searchUsers`. */
  participants: UserProfile[] | undefined;
}

/** Maximum number of users to offer. */
const MAX_CANDIDATES = 8;
const NOT_SHOWN = { subscribe: () => () => {}, getState: () => undefined };

/**
 * Returns the users and groups whose names match what was typed of a mention: those of `searchUsers`, or else those who
 * take part, those who are in the document, and those that the service knows.
 */
export function useMentionCandidates(
  typed: string | undefined,
  { documentId, participants = [] }: CandidatesOptions,
): Pick<UserSearch, "isLoading"> & { data: UserProfile[] } {
  const session = useSession();
  const found = useUserSearch(typed, { documentId });
  const isPresenceShown = !session.searchUsers && typed !== undefined && documentId !== undefined;
  const { subscribe, getState } = isPresenceShown ? presenceStore(session, { documentId }) : NOT_SHOWN;
  const present = useSyncExternalStore(subscribe, getState, getState)?.data ?? [];
  if (session.searchUsers) return { data: found.data.slice(0, MAX_CANDIDATES), isLoading: found.isLoading };
  const known = new Map([...participants, ...present].map((user) => [user.userId, user]));
  const users: UserProfile[] = [
    ...known.values(),
    ...found.data.filter(({ userId, isGroup }) => isGroup || !known.has(userId)),
  ];
  const others = users.filter(({ userId, isGroup }) => isGroup || userId !== session.userId);
  const matching = others.filter(({ userId, name = userId }) => matchesName(name, typed ?? ""));
  return { data: matching.slice(0, MAX_CANDIDATES), isLoading: found.isLoading };
}
