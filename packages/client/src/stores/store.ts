/** A state that changes. Svelte takes it as a store, and React's `useSyncExternalStore` takes its functions. */
export interface Store<State> {
  /** Returns the current state: the same object until something changes. */
  getState(): State;
  /** Calls a listener at once and after each change, until the returned function is called. */
  subscribe(listener: (state: State) => void): () => void;
}

/** The listeners of a store. */
export class Listeners<State> {
  readonly #listeners = new Set<{ listener: (state: State) => void }>();

  get size(): number {
    return this.#listeners.size;
  }

  /** Adds a listener, also one that listens already. */
  add(listener: (state: State) => void): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  notify(state: State): void {
    for (const { listener } of [...this.#listeners]) listener(state);
  }
}

/** Returns a store whose state is set. */
export function valueStore<State>(initial: State): Store<State> & { set(state: State): void } {
  const listeners = new Listeners<State>();
  let state = initial;
  return {
    getState: () => state,
    subscribe(listener) {
      const remove = listeners.add(listener);
      listener(state);
      return remove;
    },
    set(next) {
      state = next;
      listeners.notify(state);
    },
  };
}

/** Returns a store whose state is computed from those of other stores, which it follows while it has a listener. */
export function computedStore<State>(compute: (read: <Read>(store: Store<Read>) => Read) => State): Store<State> {
  const listeners = new Listeners<State>();
  const followed = new Map<Store<unknown>, () => void>();
  /** The states from which the last one was computed. */
  let states = new Map<Store<unknown>, unknown>();
  let state: State;
  let isFollowing = false;

  function getState(): State {
    if (states.size > 0 && [...states].every(([store, known]) => store.getState() === known)) return state;
    states = new Map();
    state = compute((store) => {
      const read = store.getState();
      states.set(store, read);
      return read;
    });
    return state;
  }

  /** Computes the state, and follows the stores that it is computed from. Following one may change it. */
  function follow(): void {
    isFollowing = true;
    for (let isComplete = false; !isComplete; ) {
      getState();
      const added = [...states.keys()].filter((store) => !followed.has(store));
      for (const store of added) followed.set(store, store.subscribe(update));
      isComplete = added.length === 0;
    }
    for (const [store, leave] of followed) {
      if (states.has(store)) continue;
      followed.delete(store);
      leave();
    }
    isFollowing = false;
  }

  function update(): void {
    if (isFollowing) return;
    const before = state;
    follow();
    if (state !== before) listeners.notify(state);
  }

  function subscribe(listener: (state: State) => void): () => void {
    const remove = listeners.add(listener);
    if (listeners.size === 1) follow();
    listener(getState());
    return () => {
      remove();
      if (listeners.size > 0) return;
      for (const leave of followed.values()) leave();
      followed.clear();
    };
  }

  return { getState, subscribe };
}

/** Returns a function that computes its result again only if an argument differs from that of the last call. */
export function memoized<Arguments extends unknown[], Result>(
  compute: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  let last: { given: Arguments; result: Result } | undefined;
  return (...given) => {
    if (!last?.given.every((value, index) => value === given[index])) last = { given, result: compute(...given) };
    return last.result;
  };
}
