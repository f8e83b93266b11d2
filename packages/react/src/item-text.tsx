import type { MouseEvent, ReactElement, ReactNode } from "react";

/** Props of a component whose records are links or buttons. */
export interface LinkProps<Record> {
  /** Returns the URL to which a record links, if any. */
  getLink?: ((record: Record) => string | undefined) | undefined;
  /** Called when the user opens a record. `event.preventDefault()` keeps the browser from following the link. */
  onOpen?: ((record: Record, event: MouseEvent) => void) | undefined;
}

interface ItemTextProps<Record> {
  record: Record;
  links: LinkProps<Record>;
  children: ReactNode;
}

/** Shows the text of a record, as a link or a button if it can be opened. */
export function ItemText<Record>({ record, links, children }: ItemTextProps<Record>): ReactElement {
  const { getLink, onOpen } = links;
  const href = getLink?.(record);
  const onClick = onOpen && ((event: MouseEvent) => onOpen(record, event));
  const text = <bdi>{children}</bdi>;
  if (href !== undefined) {
    return (
      <a className="colloquy-item-text" href={href} onClick={onClick}>
        {text}
      </a>
    );
  }
  if (!onClick) return text;
  return (
    <button type="button" className="colloquy-item-text" onClick={onClick}>
      {text}
    </button>
  );
}
