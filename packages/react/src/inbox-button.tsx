import { type KeyboardEvent, type ReactElement, useRef, useState } from "react";
import { useInbox } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { Inbox, type InboxProps } from "./inbox.tsx";
import { Popover } from "./popover.tsx";
import { getRootProps } from "./root-props.ts";
import { useTexts } from "./texts.tsx";

/** Shows a bell with the number of unread notifications, which opens the inbox. Takes the props of `Inbox`. */
export function InboxButton({ className, onOpen, ...props }: InboxProps): ReactElement {
  const texts = useTexts();
  const { unreadCount } = useInbox();
  const [isOpen, setOpen] = useState(false);
  const bell = useRef<HTMLButtonElement>(null);
  function close(): void {
    setOpen(false);
    bell.current?.focus();
  }
  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    close();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is in it.
    <div {...getRootProps(texts, "colloquy-inbox-button", className)} onKeyDown={closeOnEscape}>
      <button
        ref={bell}
        type="button"
        className="colloquy-icon-button"
        data-variant="quiet"
        aria-expanded={isOpen}
        aria-label={texts.inboxWith(unreadCount)}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="bell" />
        {unreadCount > 0 && <span className="colloquy-count">{unreadCount > 99 ? "99+" : unreadCount}</span>}
      </button>
      {isOpen && (
        <Popover
          getAnchor={() => bell.current?.getBoundingClientRect()}
          close={() => setOpen(false)}
          owner={bell.current}
        >
          <Inbox
            {...props}
            {...(onOpen && {
              onOpen(notification, event) {
                close();
                onOpen(notification, event);
              },
            })}
          />
        </Popover>
      )}
    </div>
  );
}
