import {
  type FocusEventHandler,
  type KeyboardEvent,
  type KeyboardEventHandler,
  type RefObject,
  useEffect,
  useRef,
} from "react";

/** Elements of a row that take the focus. */
const CONTROLS = "a[href], button, [tabindex]";
/** Elements in which the arrow keys move the caret or choose a value. */
const FIELDS = "input, select, textarea, [contenteditable]";

/** Handlers of the element that contains the rows. */
interface RovingHandlers {
  onFocus: FocusEventHandler;
  onKeyDown: KeyboardEventHandler;
}

/**
 * Makes the rows of a list, which have the attribute `data-row`, one stop of the Tab key: arrow keys, Home and End move
 * from row to row, and Tab goes on to the controls of the row.
 */
export function useRovingRows(list: RefObject<HTMLElement | null>): RovingHandlers {
  const current = useRef<Element>(undefined);
  function update(): void {
    const rows = getRows(list.current);
    const active = rows.find((row) => row === current.current) ?? rows[0];
    for (const row of rows) {
      for (const control of row.querySelectorAll<HTMLElement>(CONTROLS)) control.tabIndex = row === active ? 0 : -1;
    }
  }
  // Each render may add rows and controls.
  useEffect(update);
  return {
    onFocus({ target }) {
      const row = target.closest("[data-row]") ?? undefined;
      if (row === current.current) return;
      current.current = row;
      update();
    },
    onKeyDown: moveByRows,
  };
}

/** Moves the focus from row to row within an element, by the arrow keys, Home and End. */
export function moveByRows(event: KeyboardEvent): void {
  const rows = getRows(event.currentTarget);
  const place = rows.findIndex((row) => row.contains(document.activeElement));
  const places: Record<string, number> = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: rows.length - 1 };
  const next = rows[places[event.key] ?? -1];
  // Menus and fields within a row have handled the key, or need it.
  const isUsed = event.defaultPrevented || (event.target as Element).closest(FIELDS) !== null;
  if (isUsed || place === -1 || !next) return;
  event.preventDefault();
  next.querySelector<HTMLElement>(CONTROLS)?.focus();
}

function getRows(list: Element | null): Element[] {
  return [...(list?.querySelectorAll("[data-row]") ?? [])];
}

/** Returns what takes the focus when the row of an element is removed: the next row, the one before, or the list. */
export function getNeighbor(element: Element, list: HTMLElement | null): HTMLElement | null {
  const rows = getRows(list);
  const place = rows.findIndex((row) => row.contains(element));
  const neighbor = rows[place + 1] ?? rows[place - 1];
  return neighbor?.querySelector<HTMLElement>(CONTROLS) ?? list;
}

/** Returns what takes the focus when a control of a row is removed: the next one of the row. */
export function getNextControl(control: HTMLElement, row: Element): HTMLElement | undefined {
  const controls = [...row.querySelectorAll<HTMLElement>(CONTROLS)];
  const place = controls.indexOf(control);
  return controls[place + 1] ?? controls[place - 1];
}
