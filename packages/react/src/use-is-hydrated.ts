import { useSyncExternalStore } from "react";

const subscribe = () => () => {};
const isInBrowser = () => true;
const isOnServer = () => false;

/** Returns false on a server and while a browser renders the same from its HTML, and true from then on. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(subscribe, isInBrowser, isOnServer);
}
