import { type AccessRole, type EndUser, getEnds } from "../contract/end-user.ts";
import type { FindRoles } from "./end-user-rule.ts";

interface CachedRoles {
  resources: string;
  roles: readonly (AccessRole | null)[];
  /** Time of the process at which the roles are looked up again, in milliseconds. */
  until: number;
  /** Time at which the first grant of the token ends, in milliseconds since the epoch. The entry expires then too. */
  end: number;
}

/**
 * Caches for a moment what a user may do with the resources of their latest request, because a web page sends several
 * requests about one document. The user is the object that is known by the hash of a token, so nothing is cached
 * for longer than the token, nor while the process receives no notifications of changes.
 */
export function cacheRoles(findRoles: FindRoles, cachedMs: number): FindRoles {
  if (cachedMs === 0) return findRoles;
  const latest = new WeakMap<EndUser, CachedRoles>();
  return async (workspace, user, named) => {
    const resources = JSON.stringify(named);
    const known = latest.get(user);
    const [now, date] = [performance.now(), Date.now()];
    if (known && known.resources === resources && now < known.until && date < known.end) return known.roles;
    const roles = await findRoles(workspace, user, named);
    // The time counts from before the look-up, which may have read the state of that moment.
    const end = Math.min(...getEnds(user).filter((time) => time > date));
    latest.set(user, { resources, roles, until: now + cachedMs, end });
    return roles;
  };
}
