import { type KeyboardEvent, type ReactElement, useCallback, useEffect, useId, useRef, useState } from "react";
import { type Focusable, useFocusAfter } from "./action.tsx";
import { Icon } from "./icons.tsx";
import { Popover } from "./popover.tsx";

/** An entry of a menu. */
export interface MenuItem {
  label: string;
  isDangerous?: boolean | undefined;
  select: () => void;
}

interface MenuProps {
  /** Name of the button for screen readers. */
  label: string;
  items: MenuItem[];
  /** Returns what gets the focus if the button is removed while it has the focus. */
  next: () => Focusable | null | undefined;
}

/** Shows a button that opens a menu. Arrow keys move in the menu, and Escape closes it. */
export function Menu({ label, items, next }: MenuProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const watchFocus = useFocusAfter(next);
  const setButton = useCallback(
    (element: HTMLButtonElement | null) => {
      button.current = element;
      watchFocus(element);
    },
    [watchFocus],
  );
  const list = useRef<HTMLDivElement>(null);
  const menuId = useId();
  function close(): void {
    setOpen(false);
    button.current?.focus();
  }
  function select(item: MenuItem): void {
    close();
    item.select();
  }
  function move(event: KeyboardEvent): void {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const place = entries.findIndex((entry) => entry.matches(":focus"));
    const places: Record<string, number> = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: -1 };
    const next = places[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    if (event.key === "Escape" || next !== undefined) event.preventDefault();
    if (event.key === "Escape") event.stopPropagation();
    if (next !== undefined) entries.at(next % entries.length)?.focus();
  }
  useEffect(() => {
    if (isOpen) list.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [isOpen]);
  return (
    <>
      <button
        ref={setButton}
        type="button"
        className="colloquy-icon-button"
        data-variant="quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <Popover
          getAnchor={() => button.current?.getBoundingClientRect()}
          close={() => setOpen(false)}
          owner={button.current}
        >
          <div ref={list} id={menuId} role="menu" className="colloquy-menu" aria-label={label} onKeyDown={move}>
            {items.map((item) => (
              <button
                key={item.label}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className="colloquy-menu-item"
                data-variant={item.isDangerous ? "danger" : undefined}
                onClick={() => select(item)}
              >
                {item.label}
              </button>
            ))}
          </div>
        </Popover>
      )}
    </>
  );
}
