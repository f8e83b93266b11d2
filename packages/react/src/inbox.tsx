import type { Notification } from "@colloquy/client";
import { type ReactElement, type RefObject, useRef } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { type InboxState, useInbox } from "./hooks.ts";
import { ItemText, type Selection } from "./item-text.tsx";
import type { Texts } from "./language-texts.ts";
import { ErrorMessage, MoreButton, Notice, Time } from "./notice.tsx";
import { useSession } from "./provider.tsx";
import { getRootProps } from "./root-props.ts";
import { chooseTemplate, fillTemplate, getName } from "./template.ts";
import { useTexts } from "./texts.tsx";

/** Props of `Inbox`. */
export interface InboxProps extends Selection<Notification> {
  /** Name for screen readers. */
  label?: string | undefined;
  className?: string | undefined;
}

/** Shows the notifications of the user, and how many are unread. */
export function Inbox({ label, className, ...selection }: InboxProps): ReactElement {
  const texts = useTexts();
  const { data, unreadCount, isLoading, error, retry, hasMore, loadMore, markRead } = useInbox();
  const list = useRef<HTMLUListElement>(null);
  const all = useAction();
  const isKnown = data.length > 0 || (!isLoading && error === undefined);
  const empty = data.length === 0 && !hasMore ? texts.inboxEmpty : undefined;
  return (
    <section
      {...getRootProps(texts, "colloquy-inbox", className)}
      aria-label={label ?? texts.inbox}
      aria-busy={isLoading}
    >
      <p role="status" className="colloquy-badge">
        {isKnown && texts.unread(unreadCount)}
      </p>
      <Notice {...{ isLoading, error, retry, list, empty }} />
      {unreadCount > 1 && (
        <ActionButton action={all} task={() => markRead()} next={() => list.current}>
          {texts.markAllRead}
        </ActionButton>
      )}
      <ErrorMessage error={all.error} />
      <ul ref={list} tabIndex={-1} aria-label={texts.notifications}>
        {data.map((notification) => (
          <Item key={notification.id} {...{ notification, selection, markRead, list }} />
        ))}
      </ul>
      {hasMore && <MoreButton loadMore={loadMore} list={list} />}
    </section>
  );
}

interface ItemProps {
  notification: Notification;
  selection: Selection<Notification>;
  markRead: InboxState["markRead"];
  list: RefObject<HTMLUListElement | null>;
}

function Item({ notification, selection, markRead, list }: ItemProps) {
  const texts = useTexts();
  const action = useAction();
  const { userId } = useSession();
  const { id, timestamp, isRead } = notification;
  const { headline, body } = getContent(notification, userId, texts);
  return (
    <li data-read={isRead}>
      <ItemText record={notification} selection={selection}>
        <strong>{headline}</strong>
      </ItemText>{" "}
      <bdi>{body}</bdi> <Time at={timestamp} />{" "}
      {!isRead && (
        <ActionButton
          action={action}
          task={() => markRead([id])}
          label={texts.markReadOf(headline)}
          next={(button) => getNeighbor(button, list.current)}
        >
          {texts.markRead}
        </ActionButton>
      )}
      <ErrorMessage error={action.error} />
    </li>
  );
}

/** Returns the headline and the body of a notification with their placeholders filled in. */
function getContent(notification: Notification, userId: string, texts: Texts): { headline: string; body: string } {
  const { actionUser, messageKey, displayBodyMessageTemplate, displayBodyMessage } = notification;
  const headlineTemplate = chooseTemplate(notification.displayHeadlineMessageTemplate, messageKey, texts);
  const users = { actionUser, recipientUser: { userId } };
  const headlineValues = { ...users, ...notification.displayHeadlineMessageTemplateData };
  const bodyValues = { ...users, ...notification.displayBodyMessageTemplateData };
  return {
    headline: headlineTemplate
      ? fillTemplate("notification", headlineTemplate, headlineValues)
      : getName(actionUser, texts),
    body: displayBodyMessageTemplate
      ? fillTemplate("notification", displayBodyMessageTemplate, bodyValues)
      : (displayBodyMessage ?? ""),
  };
}

/** Returns the next button that marks as read, the one before if it is the last, or the list if it is the only one. */
function getNeighbor(button: HTMLButtonElement, list: HTMLElement | null): HTMLElement | null {
  const buttons = [...(list?.querySelectorAll<HTMLElement>(":scope > li > button") ?? [])];
  const place = buttons.indexOf(button);
  return buttons[place + 1] ?? buttons[place - 1] ?? list;
}
