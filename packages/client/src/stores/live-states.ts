import type { LiveState } from "../api.generated.ts";
import { LiveList } from "./live-list.ts";
import { type LiveActions, type LiveData, toStore } from "./live-store.ts";
import { optimisticList } from "./optimistic-list.ts";
import { getStore, type Session } from "./session.ts";
import { computedStore, type Store } from "./store.ts";

/** A JSON object that the web pages of a document share. */
export interface LiveStateRef {
  documentId: string;
  liveStateDataId: string;
}

/** What a page can do with a live state. Changes are shown at once, and each function throws if the service fails. */
export interface LiveStateActions<Data> extends LiveActions {
  /** Replaces the state. */
  set(data: Data): Promise<void>;
  /** Replaces some fields of the state, each as a whole. */
  merge(fields: Partial<Data>): Promise<void>;
}

/** A store of a live state. `data` is undefined if there is none. */
export type LiveStateStore<Data> = Store<LiveData<Data | undefined>> & LiveStateActions<Data>;

/** Returns the store of a live state of a document. */
export function liveStateStore<Data extends object>(
  session: Session,
  { documentId, liveStateDataId }: LiveStateRef,
): LiveStateStore<Data> {
  const scope = { organizationId: session.organizationId, documentId };
  const getId = () => liveStateDataId;
  return getStore(session, ["liveState", documentId, liveStateDataId], (context) => {
    const list = toStore(
      new LiveList<LiveState>(context, {
        ...{ scope, getId },
        read: ({ call }, _page, signal) =>
          call("/v2/livestate/get", { ...scope, liveStateDataIds: [liveStateDataId] }, { signal }),
        apply({ data }, event) {
          const isThis = event.event === "live_state.update" && event.subject.liveStateDataId === liveStateDataId;
          return isThis ? [event.record] : data;
        },
      }),
    );
    const states = optimisticList(list, { client: session.client, getId, add: (_, added) => [added] });
    const store = computedStore((read): LiveData<Data | undefined> => {
      const { data, isLoading, error, isLive } = read(states);
      return { data: castData<Data>(data[0]?.data), isLoading, error, isLive };
    });

    async function broadcast(given: object, isMerged: boolean): Promise<void> {
      const change = {
        id: liveStateDataId,
        apply(known: LiveState | undefined): LiveState {
          const data = isMerged ? { ...known?.data, ...given } : { ...given };
          return { liveStateDataId, data, lastUpdated: Date.now() };
        },
        isApplied(known: LiveState | undefined): boolean {
          const expected = isMerged ? { ...known?.data, ...given } : given;
          return known !== undefined && JSON.stringify(known.data) === JSON.stringify(expected);
        },
      };
      const request = { ...scope, liveStateDataId, data: given, merge: isMerged };
      await states.run([change], () => session.client.call("/v2/livestate/broadcast", request));
    }

    return {
      ...{ ...store, retry: list.retry },
      set: (data) => broadcast(data, false),
      merge: (fields) => broadcast(fields, true),
    };
  });
}

/** Casts a state, of which the page must know the fields. */
function castData<Data>(data: object | undefined): Data | undefined {
  return data as Data | undefined;
}
