import type { NotificationPreferences } from "../api.generated.ts";
import type { RequestData } from "../request-data.ts";
import { LiveList } from "./live-list.ts";
import { type LiveActions, type LiveData, toStore } from "./live-store.ts";
import { optimisticList } from "./optimistic-list.ts";
import { getStore, type Session } from "./session.ts";
import { computedStore, type Store } from "./store.ts";

/** What the user wants to be notified of, by channel. */
export type Preferences = NotificationPreferences["config"];
/** New preferences. Null removes that of a document or of the organization, after which the wider one applies. */
export type PreferenceChanges = RequestData<"/v2/notifications/config/set", "page">["config"];

/** The preferences to read. */
export interface PreferencesFilter {
  /** The preferences in the organization by default. */
  documentId?: string | undefined;
}

/** A store of preferences. `data` is undefined until they are read. */
export type PreferencesStore = Store<LiveData<Preferences | undefined>> &
  LiveActions & {
    /** Changes the preferences of some channels, which is shown at once. Throws if the service rejects it. */
    set(changes: PreferenceChanges): Promise<void>;
  };

/** Returns the store of the preferences of the user that apply in a document, or in the organization. */
export function preferencesStore(session: Session, { documentId }: PreferencesFilter = {}): PreferencesStore {
  const { client, organizationId, userId } = session;
  const getId = () => 0;
  return getStore(session, ["preferences", documentId], (context) => {
    const scope = { organizationId, userId };
    const place = documentId === undefined ? { getOrganizationConfig: true } : { documentIds: [documentId] };
    const all = getStore(session, ["allPreferences"], () => new Set<LiveList<Preferences>>());
    const list = new LiveList<Preferences>(context, {
      ...{ scope: { organizationId }, getId },
      async read({ call }, _page, signal) {
        const { data } = await call("/v2/notifications/config/get", { ...scope, ...place }, { signal });
        return { data: data.map(({ config }) => config) };
      },
      apply: ({ data }) => data,
    });
    all.add(list);
    const preferences = optimisticList(toStore(list), { client, getId, add: ({ data }) => data });
    const store = computedStore((read): LiveData<Preferences | undefined> => {
      const { data, isLoading, error, isLive } = read(preferences);
      return { data: data[0], isLoading, error, isLive };
    });
    return {
      ...{ ...store, retry: list.retry },
      async set(changes) {
        const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null));
        const change = {
          id: 0,
          apply: (known: Preferences | undefined) => known && { ...known, ...given },
          isApplied: () => false,
        };
        await preferences.run([change], async () => {
          const request = { organizationId, userIds: [userId], config: changes };
          const ofDocument = documentId !== undefined && { documentIds: [documentId] };
          await client.call("/v2/notifications/config/set", { ...request, ...ofDocument });
        });
        // Documents without preferences of their own follow the organization. No event reports this.
        for (const each of all) each.refresh();
      },
    };
  });
}
