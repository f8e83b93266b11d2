import { asError } from "./as-error.ts";
import { searchDirectory } from "./search-directory.ts";
import { getStore, type Session } from "./session.ts";
import { Listeners, type Store } from "./store.ts";
import type { UserProfile, UserSearchOptions } from "./user-directory.ts";

/** A store of the profiles that are known, by user ID. */
export interface UsersStore extends Store<ReadonlyMap<string, UserProfile>> {
  /** Loads the profiles of users that are not known yet. Calls at the same time are one request. */
  load(userIds: readonly string[]): void;
}

/** Maximum number of users that are resolved at once. */
const MAX_RESOLVED = 100;
/** Maximum number of searches that are remembered. */
const MAX_SEARCHES = 50;

/** Returns the store of the profiles of users, by `resolveUsers`. */
export function usersStore(session: Session): UsersStore {
  return getStore(session, ["users"], () => {
    const listeners = new Listeners<ReadonlyMap<string, UserProfile>>();
    let profiles: ReadonlyMap<string, UserProfile> = new Map();
    const asked = new Set<string>();
    let waiting: string[] = [];

    async function resolve(userIds: string[]): Promise<void> {
      try {
        const found = (await session.resolveUsers?.(userIds)) ?? [];
        profiles = new Map([...profiles, ...found.map((profile) => [profile.userId, profile] as const)]);
        listeners.notify(profiles);
      } catch {
        // The next call of `load` tries again.
        for (const id of userIds) asked.delete(id);
      }
    }

    function resolveAll(): void {
      const userIds = waiting;
      waiting = [];
      for (let from = 0; from < userIds.length; from += MAX_RESOLVED) {
        void resolve(userIds.slice(from, from + MAX_RESOLVED));
      }
    }

    return {
      getState: () => profiles,
      subscribe(listener) {
        listener(profiles);
        return listeners.add(listener);
      },
      load(userIds) {
        for (const id of userIds) {
          if (asked.has(id)) continue;
          asked.add(id);
          if (waiting.length === 0) queueMicrotask(resolveAll);
          waiting.push(id);
        }
      },
    };
  });
}

/** Returns users and groups whose names match a text, by `searchUsers`, which repeats no search, or of the service. */
export async function findUsers(
  session: Session,
  text: string,
  { documentId }: UserSearchOptions = {},
): Promise<UserProfile[]> {
  const { searchUsers } = session;
  if (!searchUsers) return searchDirectory(session, text, documentId).catch((error) => Promise.reject(asError(error)));
  const searches = getStore(session, ["userSearches"], () => new Map<string, Promise<UserProfile[]>>());
  const key = JSON.stringify([text, documentId]);
  const known = searches.get(key);
  if (known) return known;
  if (searches.size === MAX_SEARCHES) searches.clear();
  const search = Promise.resolve(searchUsers(text, { documentId }));
  searches.set(key, search);
  try {
    return await search;
  } catch (error) {
    searches.delete(key);
    throw asError(error);
  }
}
