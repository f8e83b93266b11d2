import { type RefObject, useEffect, useRef, useState } from "react";
import type { Session } from "./provider.tsx";

/** Calls a function when the client is reset for another user. Returns the number of resets. */
export function useResets(client: Session["client"], clear: () => void): RefObject<number> {
  const count = useRef(0);
  const latest = useRef(clear);
  latest.current = clear;
  useEffect(() => {
    return client.onReset(() => {
      count.current += 1;
      latest.current();
    });
  }, [client]);
  return count;
}

/**
 * Returns whether the user works in an element: from its focus until a click elsewhere. If it became smaller when it
 * loses the focus, the target of that click would move away under the pointer.
 */
export function useActive(element: RefObject<HTMLElement | null>): { isActive: boolean; activate: () => void } {
  const [isActive, setActive] = useState(false);
  useEffect(() => {
    if (!isActive) return;
    const update = () => setActive(element.current?.contains(document.activeElement) ?? false);
    document.addEventListener("click", update, true);
    return () => document.removeEventListener("click", update, true);
  }, [isActive, element]);
  return { isActive, activate: () => setActive(true) };
}
