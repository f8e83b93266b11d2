import type { Presence } from "@colloquy/client";
import { type KeyboardEvent, type ReactElement, useRef, useState } from "react";
import { usePresence } from "./hooks.ts";
import { Notice } from "./notice.tsx";
import { Popover } from "./popover.tsx";
import { RecordUserPhoto, useRecordUser } from "./record-user.tsx";
import { getRootProps } from "./root-props.ts";
import { useRovingRows } from "./roving.ts";
import { useTexts } from "./texts.tsx";

/** Props of `Avatars`. */
export interface AvatarsProps {
  documentId: string;
  /** Maximum number of users to show. The others are counted. */
  max?: number | undefined;
  /** Name for screen readers. */
  label?: string | undefined;
  className?: string | undefined;
}

/** Shows who is in a document. The name of each user appears when the pointer or the focus is on the avatar. */
export function Avatars({ documentId, max = 5, label, className }: AvatarsProps): ReactElement {
  const texts = useTexts();
  const { data, isLoading, error, retry } = usePresence({ documentId });
  const list = useRef<HTMLUListElement>(null);
  const roving = useRovingRows(list);
  const present = data.filter(({ status }) => status !== "offline");
  const shown = present.slice(0, max);
  const hidden = present.slice(max);
  return (
    <div {...getRootProps(texts, "colloquy-avatars", className)} aria-busy={isLoading}>
      <ul ref={list} tabIndex={-1} aria-label={label ?? texts.avatars} {...roving}>
        {shown.map((user, index) => (
          // Each avatar covers a part of the next one.
          <li
            key={user.userId}
            className="colloquy-avatar"
            data-status={user.status}
            data-row=""
            style={Object.fromEntries([["--cq-order", shown.length - index]])}
          >
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The focus shows the name. */}
            <span tabIndex={0} className="colloquy-avatar-photo">
              <RecordUserPhoto user={user} />
              <span className="colloquy-tooltip">
                <Name user={user} />
              </span>
            </span>
          </li>
        ))}
        {hidden.length > 0 && (
          <li className="colloquy-avatar" data-row="">
            <MoreUsers users={hidden} />
          </li>
        )}
      </ul>
      <Notice {...{ isLoading, error, retry, list }} />
    </div>
  );
}

/** Shows the name of a user, and whether the user is away. */
function Name({ user }: { user: Presence }): ReactElement {
  const texts = useTexts();
  const { name } = useRecordUser(user);
  return <bdi>{user.status === "away" ? texts.away(name) : name}</bdi>;
}

/** Shows the number of users who are not shown, as a button that shows their names. */
function MoreUsers({ users }: { users: Presence[] }): ReactElement {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    setOpen(false);
    button.current?.focus();
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="colloquy-more-users"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={closeOnEscape}
      >
        +{users.length}
        <span className="colloquy-hidden">{texts.moreUsers(users.length)}</span>
      </button>
      {isOpen && (
        <Popover
          getAnchor={() => button.current?.getBoundingClientRect()}
          close={() => setOpen(false)}
          owner={button.current}
        >
          <ul className="colloquy-users" aria-label={texts.moreUsers(users.length)}>
            {users.map((user) => (
              <li key={user.userId} data-status={user.status}>
                <RecordUserPhoto user={user} />
                <Name user={user} />
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </>
  );
}
