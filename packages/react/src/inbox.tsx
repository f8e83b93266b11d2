import type { Notification } from "@colloquy/client";
import { type ReactElement, type RefObject, useRef } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { Failure, MoreButton, Notice, Time } from "./notice.tsx";
import { useSession } from "./provider.tsx";
import { fillTemplate, nameOf } from "./template.ts";
import { type InboxState, useInbox } from "./use-inbox.ts";

/** Props of `Inbox`. */
export interface InboxProps {
  /** Name for screen readers. */
  label?: string;
}

/** Shows the unread notifications of the user, with their number. */
export function Inbox({ label = "Inbox" }: InboxProps): ReactElement {
  const { data, unreadCount, isLoading, error, retry, hasMore, loadMore, markRead } = useInbox();
  const list = useRef<HTMLUListElement>(null);
  const isKnown = data.length > 0 || (!isLoading && error === undefined);
  return (
    <section className="colloquy-inbox" aria-label={label} aria-busy={isLoading}>
      <p role="status" className="colloquy-badge">
        {isKnown && `${unreadCount} unread`}
      </p>
      <Notice
        {...{ isLoading, error, retry, list }}
        empty={data.length === 0 && !hasMore ? "Inbox is empty." : undefined}
      />
      <ul ref={list} tabIndex={-1} aria-label="Notifications">
        {data.map((notification) => (
          <Item key={notification.id} notification={notification} markRead={markRead} list={list} />
        ))}
      </ul>
      {hasMore && <MoreButton loadMore={loadMore} list={list} />}
    </section>
  );
}

interface ItemProps {
  notification: Notification;
  markRead: InboxState["markRead"];
  list: RefObject<HTMLUListElement | null>;
}

function Item({ notification, markRead, list }: ItemProps) {
  const action = useAction();
  const { userId } = useSession();
  const { id, timestamp, isRead } = notification;
  const { headline, body } = textsOf(notification, userId);
  return (
    <li data-read={isRead}>
      <strong>{headline}</strong> {body} <Time at={timestamp} />{" "}
      {!isRead && (
        <ActionButton
          action={action}
          task={() => markRead([id])}
          label={`Mark as read: ${headline}`}
          next={(button) => neighborOf(button, list.current)}
        >
          Mark as read
        </ActionButton>
      )}
      <Failure error={action.error} />
    </li>
  );
}

/** Returns the headline and the body of a notification with their placeholders filled in. */
function textsOf(notification: Notification, userId: string): { headline: string; body: string } {
  const { actionUser, displayHeadlineMessageTemplate, displayBodyMessageTemplate, displayBodyMessage } = notification;
  const users = { actionUser, recipientUser: { userId } };
  const headlineValues = { ...users, ...notification.displayHeadlineMessageTemplateData };
  const bodyValues = { ...users, ...notification.displayBodyMessageTemplateData };
  return {
    headline: fillTemplate(displayHeadlineMessageTemplate || nameOf(actionUser), headlineValues),
    body: displayBodyMessageTemplate
      ? fillTemplate(displayBodyMessageTemplate, bodyValues)
      : (displayBodyMessage ?? ""),
  };
}

/** Returns the next button in a list, the one before if it is the last, or the list if it is the only one. */
function neighborOf(button: HTMLButtonElement, list: HTMLElement | null): HTMLElement | null {
  const buttons = [...(list?.querySelectorAll("button") ?? [])];
  const place = buttons.indexOf(button);
  return buttons[place + 1] ?? buttons[place - 1] ?? list;
}
