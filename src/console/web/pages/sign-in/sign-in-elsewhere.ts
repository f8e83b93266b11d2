import { useEffect } from "react";

/** Name of the channel between the tabs of a browser, which share their session. */
const CHANNEL = "colloquy-sign-in";

/** Tells the other tabs that the browser has signed in. */
export function announceSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** Calls a function, which stays the same, when another tab has signed in. */
export function useSignInElsewhere(onSignIn: () => void): void {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = onSignIn;
    return () => channel.close();
  }, [onSignIn]);
}
