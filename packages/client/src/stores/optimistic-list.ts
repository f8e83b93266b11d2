import type { Client } from "../client.ts";
import { wasReset } from "../errors.ts";
import type { ListState } from "./live-list.ts";
import { computedStore, memoized, type Store, valueStore } from "./store.ts";

/** A change of a record that is shown before the service has confirmed it. */
export interface Change<Record> {
  /** ID of the record in the list. */
  id: unknown;
  /**
   * Returns the record with the change, or undefined if the change deletes it. The record is undefined if the list
   * does not have it. `isPending` says that the service has not responded yet.
   */
  apply(record: Record | undefined, isPending: boolean): Record | undefined;
  /** Returns whether the service has made the change. The record is undefined if the list does not have it. */
  isApplied(record: Record | undefined): boolean;
}

interface ShownChange<Record> {
  change: Change<Record>;
  isPending: boolean;
  /** Record of the service when it had responded. */
  before: Record | undefined;
}

/** A list with the changes of the user that the service has not confirmed yet. */
export interface OptimisticList<Record> extends Store<ListState<Record>> {
  /**
   * Shows changes while a call makes them, and until the list has them from the service, in whichever order response
   * and event arrive. Takes them back if the call fails, and throws its error. Calls that change the same record run
   * one after the other.
   */
  run<Result>(changes: Change<Record>[], call: () => Promise<Result>): Promise<Result>;
}

interface Options<Record> {
  /** The client of the calls. */
  client: Pick<Client, "onReset">;
  getId(record: Record): unknown;
  /** Returns the records with one added. */
  add(list: ListState<Record>, record: Record): Record[];
  /** Returns whether the list has records like this. */
  isShown?(record: Record): boolean;
}

/** Returns a list over another one that shows changes of the user at once. */
export function optimisticList<Record>(
  list: Store<ListState<Record>>,
  { client, getId, add, isShown = () => true }: Options<Record>,
): OptimisticList<Record> {
  const shown = valueStore<readonly ShownChange<Record>[]>([]);
  /** The last call that changes a record, by its ID. */
  const calls = new Map<unknown, Promise<unknown>>();
  const listeners = new Set<() => void>();
  let stopSettling = () => {};

  const find = (id: unknown, data = list.getState().data) => data.find((record) => getId(record) === id);

  const applyAll = memoized((state: ListState<Record>, changes: readonly ShownChange<Record>[]): ListState<Record> => {
    const data = changes.reduce((data, { change, isPending }) => {
      const record = find(change.id, data);
      const next = change.isApplied(record) ? record : change.apply(record, isPending);
      if (next === record) return data;
      if (record === undefined && next !== undefined) return add({ ...state, data }, next);
      return data.flatMap((each) => (each === record ? (next ?? []) : each));
    }, state.data);
    return { ...state, data: data.filter(isShown) };
  });

  const store = computedStore((read) => {
    const [state, changes] = [read(list), read(shown)];
    return changes.length === 0 ? state : applyAll(state, changes);
  });

  /** Returns whether the list has a change from the service. After the response, any other state includes it. */
  function isConfirmed({ change, isPending, before }: ShownChange<Record>): boolean {
    const record = find(change.id);
    if (change.isApplied(record)) return true;
    if (isPending || record !== before) return !isPending;
    const next = change.apply(record, isPending);
    return record === undefined && !(next && isShown(next));
  }

  /** Takes back confirmed changes. Those of the same record are confirmed in their order. */
  function settle(): void {
    const [waiting, confirmed] = [new Set<unknown>(), new Set<unknown>()];
    const left = shown.getState().flatMap((each) => {
      const { id } = each.change;
      // A state with an earlier change may be older than this one.
      const isApplied = confirmed.has(id) ? each.change.isApplied(find(id)) : isConfirmed(each);
      if (!waiting.has(id) && isApplied) {
        confirmed.add(id);
        return [];
      }
      waiting.add(id);
      return confirmed.has(id) ? { ...each, before: find(id) } : each;
    });
    if (left.length < shown.getState().length) shown.set(left);
    if (left.length === 0) stopSettling();
  }

  function show(changes: Change<Record>[]): void {
    if (shown.getState().length === 0) stopSettling = list.subscribe(settle);
    const added = changes.map((change) => ({ change, isPending: true, before: undefined }));
    shown.set([...shown.getState(), ...added]);
  }

  /** Replaces some of the changes that are shown. */
  function replace(changes: Change<Record>[], by: (change: Change<Record>) => ShownChange<Record>[]): void {
    shown.set(shown.getState().flatMap((each) => (changes.includes(each.change) ? by(each.change) : each)));
    settle();
  }

  /** Resolves when earlier calls have ended. Throws if the client is reset meanwhile: the next call is of its user. */
  async function waitForEarlier(earlier: Promise<unknown>[]): Promise<void> {
    let isReset = false;
    const unsubscribe = client.onReset(() => {
      isReset = true;
    });
    await Promise.allSettled(earlier);
    unsubscribe();
    if (isReset) throw wasReset();
  }

  async function runInOrder<Result>(changes: Change<Record>[], call: () => Promise<Result>): Promise<Result> {
    const earlier = changes.map(({ id }) => calls.get(id)).filter((running) => running !== undefined);
    const result = earlier.length === 0 ? call() : waitForEarlier(earlier).then(call);
    for (const { id } of changes) calls.set(id, result);
    try {
      return await result;
    } finally {
      for (const { id } of changes) if (calls.get(id) === result) calls.delete(id);
    }
  }

  return {
    getState: store.getState,
    subscribe(listener) {
      const stop = store.subscribe(listener);
      listeners.add(stop);
      return () => {
        listeners.delete(stop);
        stop();
      };
    },
    async run(changes, call) {
      // A change of a list that nobody shows is read with the list.
      if (listeners.size === 0) return runInOrder(changes, call);
      show(changes);
      try {
        const result = await runInOrder(changes, call);
        replace(changes, (change) => [{ change, isPending: false, before: find(change.id) }]);
        return result;
      } catch (error) {
        replace(changes, () => []);
        throw error;
      }
    },
  };
}
