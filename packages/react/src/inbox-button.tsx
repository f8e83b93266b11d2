import type { ReactElement } from "react";
import { useInbox } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { Inbox, type InboxProps } from "./inbox.tsx";
import { PopoverButton } from "./popover-button.tsx";
import { getRootProps } from "./root-props.ts";
import { useTexts } from "./texts.tsx";

/** Shows a bell with the number of unread notifications, which opens the inbox. Takes the props of `Inbox`. */
export function InboxButton({ className, onOpen, ...props }: InboxProps): ReactElement {
  const texts = useTexts();
  const { unreadCount } = useInbox();
  const face = (
    <>
      <Icon name="bell" />
      {unreadCount > 0 && <span className="colloquy-count">{unreadCount > 99 ? "99+" : unreadCount}</span>}
    </>
  );
  return (
    <div {...getRootProps(texts, "colloquy-inbox-button", className)}>
      <PopoverButton face={face} attributes={{ "aria-label": texts.inboxWith(unreadCount) }}>
        {(close) => (
          <Inbox
            {...props}
            {...(onOpen && {
              onOpen(notification, event) {
                close();
                onOpen(notification, event);
              },
            })}
          />
        )}
      </PopoverButton>
    </div>
  );
}
