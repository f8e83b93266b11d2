import type { LiveActions, LiveData, PagesActions, PagesData, Store } from "@colloquy/client/stores";
import { useSyncExternalStore } from "react";

/** Data that is kept up to date. */
export interface Live<Data> extends LiveData<Data>, LiveActions {}
/** The first records of a list that has pages. */
export interface LivePages<Data> extends PagesData<Data>, PagesActions {}

/** Returns the state of a store and its actions, and renders again after each change. */
export function useStore<State, Actions extends object>(
  store: Store<State> & Actions,
): State & Omit<Actions, keyof Store<State>> {
  const { subscribe, getState, ...actions } = store;
  return { ...useSyncExternalStore(subscribe, getState, getState), ...actions };
}
