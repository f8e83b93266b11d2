import { asError, findUsers, type UserProfile, type UserSearchOptions, usersStore } from "@colloquy/client/stores";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useSession } from "./provider.tsx";

/** Returns the profiles of users that are known, by user ID, and loads the others by `resolveUsers`. */
export function useUsers(userIds: readonly string[]): ReadonlyMap<string, UserProfile> {
  const { subscribe, getState, load } = usersStore(useSession());
  // biome-ignore lint/correctness/useExhaustiveDependencies: The text stands for the list, which is new in each render.
  useEffect(() => load(userIds), [load, JSON.stringify(userIds)]);
  return useSyncExternalStore(subscribe, getState, getState);
}

/** Users who match a text. */
export interface UserSearch {
  /** Those of the last search that succeeded. */
  data: UserProfile[];
  isLoading: boolean;
  error: Error | undefined;
}

/** Time without another text after which users are searched, in milliseconds. */
const PAUSE_MS = 100;
const NOBODY: UserSearch = { data: [], isLoading: false, error: undefined };

/** Searches users to mention, by `searchUsers` or in the service. Searches nobody without a text, but "" is one. */
export function useUserSearch(text: string | undefined, { documentId }: UserSearchOptions = {}): UserSearch {
  const session = useSession();
  const [found, setFound] = useState<UserSearch>(NOBODY);
  useEffect(() => {
    if (text === undefined) return setFound(NOBODY);
    let isCurrent = true;
    const show = (changes: Partial<UserSearch>) => {
      if (isCurrent) setFound((before) => ({ ...before, error: undefined, ...changes }));
    };
    show({ isLoading: true });
    const search = () =>
      findUsers(session, text, { documentId }).then(
        (data) => show({ data, isLoading: false }),
        (error: unknown) => show({ isLoading: false, error: asError(error) }),
      );
    const timer = setTimeout(search, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [session, text, documentId]);
  return found;
}
