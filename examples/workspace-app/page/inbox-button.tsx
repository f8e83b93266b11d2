import { Inbox, useInbox } from "@colloquy/react";
import { useEffect, useRef, useState } from "react";

/** Shows the number of unread notifications on a bell, which opens the inbox. */
export function InboxButton() {
  const { unreadCount } = useInbox();
  const [isOpen, setOpen] = useState(false);
  const bell = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    function closeOnEscape({ key }: KeyboardEvent) {
      if (key !== "Escape") return;
      setOpen(false);
      bell.current?.focus();
    }
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, [isOpen]);
  return (
    <div className="inbox">
      <button
        ref={bell}
        type="button"
        className="bell"
        aria-expanded={isOpen}
        aria-label={unreadCount === 0 ? "Notifications" : `Notifications, ${unreadCount} unread`}
        onClick={() => setOpen(!isOpen)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 9a6 6 0 1 1 12 0c0 5 2 6 2 8H4c0-2 2-3 2-8m4 11a2 2 0 0 0 4 0" />
        </svg>
        {unreadCount > 0 && <span className="badge">{unreadCount}</span>}
      </button>
      {isOpen && (
        <div className="popover">
          <Inbox />
        </div>
      )}
    </div>
  );
}
