import type { MouseEvent, ReactElement, ReactNode } from "react";

/** How a user opens what a record is about. */
export interface Selection<Record> {
  /** Returns the URL to which a record links, if any. */
  linkOf?: (record: Record) => string | undefined;
  /** Called when the user selects a record. `event.preventDefault()` keeps the browser from following the link. */
  onSelect?: ((record: Record, event: MouseEvent) => void) | undefined;
}

interface ItemTextProps<Record> {
  record: Record;
  selection: Selection<Record>;
  children: ReactNode;
}

/** Shows the text of a record, as a link or a button if it can be selected. */
export function ItemText<Record>({ record, selection, children }: ItemTextProps<Record>): ReactElement {
  const { linkOf, onSelect } = selection;
  const href = linkOf?.(record);
  const onClick = onSelect && ((event: MouseEvent) => onSelect(record, event));
  const text = <bdi>{children}</bdi>;
  if (href !== undefined) {
    return (
      <a href={href} onClick={onClick}>
        {text}
      </a>
    );
  }
  if (!onClick) return text;
  return (
    <button type="button" className="colloquy-button" data-variant="link" onClick={onClick}>
      {text}
    </button>
  );
}
