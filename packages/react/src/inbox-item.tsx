import type { Notification } from "@colloquy/client";
import { type MouseEvent, type ReactElement, type RefObject, useRef, useState } from "react";
import { type Action, ActionButton, useAction } from "./action.tsx";
import { ExpandButton } from "./expand-button.tsx";
import type { InboxState } from "./hooks.ts";
import { Icon, type IconName } from "./icons.tsx";
import { ItemText, type LinkProps } from "./item-text.tsx";
import { KindIcon } from "./kind-icon.tsx";
import { ErrorMessage, Time } from "./notice.tsx";
import { getContent } from "./notification-content.ts";
import { useSession } from "./provider.tsx";
import { RecordUserPhoto } from "./record-user.tsx";
import { getNeighbor, getNextControl } from "./roving.ts";
import { useTexts } from "./texts.tsx";

interface InboxItemProps {
  /** Notifications of one thread, newest first. */
  group: readonly [Notification, ...Notification[]];
  inbox: Pick<InboxState, "markRead" | "archive" | "restore" | "remove">;
  isArchive: boolean;
  links: LinkProps<Notification>;
  getDocumentName: ((documentId: string) => string | undefined) | undefined;
  list: RefObject<HTMLUListElement | null>;
}

/** Shows the newest notification of a thread, and on demand the earlier ones. The buttons act on all of them. */
export function InboxItem({ group, inbox, isArchive, links, getDocumentName, list }: InboxItemProps): ReactElement {
  const texts = useTexts();
  const action = useAction();
  // What is read can be archived at once.
  const reading = useAction();
  const row = useRef<HTMLLIElement>(null);
  const { userId } = useSession();
  const [isExpanded, setExpanded] = useState(false);
  const [newest, ...earlier] = group;
  const ids = group.map(({ id }) => id);
  const unreadIds = group.filter(({ isRead }) => !isRead).map(({ id }) => id);
  const { actionUser, timestamp, messageKey, metadata } = newest;
  const { headline, body } = getContent(newest, userId, texts);
  const documentName = getDocumentName?.(metadata.documentId);
  const { onOpen } = links;
  const opening = { ...links, ...(onOpen && { onOpen: open }) };
  function open(notification: Notification, event: MouseEvent): void {
    if (!notification.isRead) void reading.run(() => inbox.markRead([notification.id]));
    onOpen?.(notification, event);
  }
  // React forgets the row before its buttons if it removes the row.
  const next = (button: HTMLButtonElement) =>
    (row.current && getNextControl(button, row.current)) ?? getNeighbor(button, list.current);
  const toButton = (icon: IconName, name: string, task: () => Promise<void>, run = action) => (
    <ItemButton {...{ action: run, icon, task, next }} label={texts.actionOf(name, headline)} />
  );
  return (
    <li ref={row} className="colloquy-notification" data-row="" data-read={unreadIds.length === 0}>
      <RecordUserPhoto user={actionUser}>
        <KindIcon messageKey={messageKey} />
      </RecordUserPhoto>
      <div className="colloquy-notification-text">
        <ItemText record={newest} links={opening}>
          <strong>{headline}</strong>
          {unreadIds.length > 0 && <span className="colloquy-hidden"> ({texts.isUnread})</span>}
        </ItemText>
        {body !== "" && (
          <p className="colloquy-excerpt" dir="auto">
            {body}
          </p>
        )}
        <p className="colloquy-meta">
          {documentName !== undefined && <bdi>{documentName}</bdi>}
          <Time at={timestamp} />
          {earlier.length > 0 && (
            <ExpandButton {...{ isExpanded, setExpanded }} label={texts.earlier(earlier.length)} />
          )}
        </p>
        {isExpanded && (
          <ul className="colloquy-earlier">
            {earlier.map((notification) => (
              <li key={notification.id} data-read={notification.isRead}>
                <ItemText record={notification} links={opening}>
                  <strong>{getContent(notification, userId, texts).headline}</strong>
                </ItemText>{" "}
                <Time at={notification.timestamp} />
              </li>
            ))}
          </ul>
        )}
        <ErrorMessage error={action.error ?? reading.error} />
      </div>
      <div className="colloquy-item-actions">
        {unreadIds.length > 0 && toButton("check", texts.markRead, () => inbox.markRead(unreadIds), reading)}
        {isArchive
          ? toButton("restore", texts.restore, () => inbox.restore(ids))
          : toButton("archive", texts.archive, () => inbox.archive(ids))}
        {toButton("trash", texts.delete, () => inbox.remove(ids))}
      </div>
    </li>
  );
}

interface ItemButtonProps {
  action: Action;
  icon: IconName;
  label: string;
  task: () => Promise<void>;
  next: (button: HTMLButtonElement) => HTMLElement | null;
}

function ItemButton({ action, icon, label, task, next }: ItemButtonProps): ReactElement {
  return (
    <ActionButton {...{ action, task, label, next }} className="colloquy-icon-button" variant="quiet">
      <Icon name={icon} />
    </ActionButton>
  );
}
