import { type RefObject, useEffect, useRef } from "react";

/**
 * Returns the ref of a form. When its request fails, the first field with an error takes the focus. `outcome` is the
 * error, or the response if it reports the error of an item.
 */
export function useInvalidFieldFocus(outcome: object | null | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (outcome) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [outcome]);
  return form;
}
