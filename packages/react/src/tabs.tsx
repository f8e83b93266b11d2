import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useRef } from "react";

/** A tab, with a number beside its name if there is something to count. */
interface Tab<Id extends string> {
  id: Id;
  label: string;
  count?: number | undefined;
}

interface TabsProps<Id extends string> {
  /** Name for screen readers. */
  label: string;
  tabs: Tab<Id>[];
  selected: Id;
  select: (id: Id) => void;
  /** Content of the selected tab. */
  children: ReactNode;
}

/** Shows tabs, which the arrow keys select, and the content of the selected one. */
export function Tabs<Id extends string>({ label, tabs, selected, select, children }: TabsProps<Id>): ReactElement {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  function move(event: KeyboardEvent): void {
    const place = tabs.findIndex(({ id }) => id === selected);
    const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    const places: Record<string, number> = {
      ArrowRight: place + forward,
      ArrowLeft: place - forward,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (tab) select(tab.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  }
  return (
    <>
      <div ref={list} role="tablist" className="colloquy-tabs" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, label, count = 0 }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}${id}`}
            className="colloquy-tab"
            aria-selected={id === selected}
            aria-controls={`${base}panel`}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => select(id)}
          >
            {label}
            {count > 0 && <span className="colloquy-count">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}panel`} className="colloquy-tab-panel" aria-labelledby={`${base}${selected}`}>
        {children}
      </div>
    </>
  );
}
