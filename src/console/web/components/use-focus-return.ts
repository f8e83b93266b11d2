import { useEffect, useState } from "react";

/**
 * Returns the focus to the control that opened a dialog when the dialog closes or unmounts. The one of Modal does so
 * only for a dialog that has mounted closed.
 */
export function useFocusReturn(isOpen: boolean): void {
  // The item of a menu unmounts when the dialog mounts, so it is known only before.
  const [openerAtMount] = useState(() => (isOpen ? focusedControl() : undefined));
  useEffect(() => {
    if (!isOpen) return;
    const opener = openerAtMount ?? focusedControl();
    return () => opener?.focus({ preventScroll: true });
  }, [isOpen, openerAtMount]);
}

/** Returns the control that has the focus, or the button of its menu; undefined if none has. */
function focusedControl(): HTMLElement | undefined {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
  const menuButton = focused.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return (menuButton && document.getElementById(menuButton)) || focused;
}
