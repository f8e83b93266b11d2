import type { KeyboardEvent, MouseEvent } from "react";

/**
 * Rows of lists and tables open as a whole: the control with `data-opens` in a row is its only tab stop, and a click
 * beside other controls of the row clicks it. Other controls of the row have a tab index of -1, and the arrow keys
 * reach them.
 */
const OPENER = "[data-opens]";
const ROW = ":is(li, tr):has([data-opens])";
const CONTROL = "a, button, input, select, textarea, label, video, audio, [role=menuitem]";

/** Opens the row that was clicked, unless the click was on a control or ended the selection of text. */
export function openClickedRow(event: MouseEvent): void {
  if (!(event.target instanceof Element) || event.target.closest(CONTROL)) return;
  // React passes on the clicks in a drawer or dialog, which is not in the page's own elements.
  if (!event.currentTarget.contains(event.target)) return;
  const opener = event.target.closest(ROW)?.querySelector(OPENER);
  if (!opener || getSelection()?.isCollapsed === false) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  opener.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

/** Moves the focus with the arrow keys: up and down between rows, left and right between the controls of a row. */
export function moveInRows(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!(target instanceof HTMLElement)) return;
  const row = target.closest(ROW);
  if (!row || (!target.matches(OPENER) && target.tabIndex !== -1)) return;
  const next = nextControl(row, target, key);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function nextControl(row: Element, target: HTMLElement, key: string): HTMLElement | undefined {
  if (key === "ArrowDown" || key === "ArrowUp") {
    const openers = [...(row.parentElement?.querySelectorAll<HTMLElement>(OPENER) ?? [])];
    const index = openers.findIndex((opener) => row.contains(opener));
    return openers[index + (key === "ArrowDown" ? 1 : -1)];
  }
  if (key !== "ArrowRight" && key !== "ArrowLeft") return undefined;
  // The opener may come last in the row, but is where the arrow keys begin.
  const others = [...row.querySelectorAll<HTMLElement>("a[tabindex='-1'], button[tabindex='-1']")];
  const controls = [...row.querySelectorAll<HTMLElement>(OPENER), ...others];
  return controls[controls.indexOf(target) + (key === "ArrowRight" ? 1 : -1)];
}
