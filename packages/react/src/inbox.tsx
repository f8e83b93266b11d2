import type { Notification } from "@colloquy/client";
import { type ReactElement, type ReactNode, useId, useRef, useState } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { Heading, type HeadingProps } from "./heading.tsx";
import { useInbox } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { InboxItem } from "./inbox-item.tsx";
import type { LinkProps } from "./item-text.tsx";
import type { Texts } from "./language-texts.ts";
import { ErrorMessage, MoreButton, Notice } from "./notice.tsx";
import { groupByThread, isMention } from "./notification-content.ts";
import { getRootProps } from "./root-props.ts";
import { useRovingRows } from "./roving.ts";
import { Tabs } from "./tabs.tsx";
import { useTexts } from "./texts.tsx";
import { useSearch } from "./use-search.ts";

/** Part of an inbox. */
export type InboxTab = "all" | "unread" | "mentions" | "archived";

/** Props of `Inbox`. */
export interface InboxProps extends LinkProps<Notification>, HeadingProps {
  /** Tab that is shown first; `all` by default. */
  initialTab?: InboxTab | undefined;
  /** Returns the name of a document to show with its notifications. */
  getDocumentName?: ((documentId: string) => string | undefined) | undefined;
  /** Further buttons beside the heading, such as one that opens the preferences. */
  actions?: ReactNode | undefined;
  className?: string | undefined;
}

/** Shows the notifications of the user in tabs, with buttons to mark as read, to archive and to delete them. */
export function Inbox(props: InboxProps): ReactElement {
  const { label, headingLevel, initialTab = "all", getDocumentName, actions, className, ...links } = props;
  const texts = useTexts();
  const [tab, setTab] = useState(initialTab);
  const inbox = useInbox({ archived: tab === "archived" ? "only" : "exclude" });
  const { data, unreadCount, isLoading, error, retry, hasMore, loadMore } = inbox;
  const headingId = useId();
  const list = useRef<HTMLUListElement>(null);
  const all = useAction();
  const roving = useRovingRows(list);
  const shown = data.filter((notification) => isInTab(notification, tab));
  const isSearching = useSearch(inbox, shown.length);
  const isKnown = data.length > 0 || (!isLoading && error === undefined);
  const empty = shown.length === 0 && !isSearching ? getEmptyText(tab, texts) : undefined;
  return (
    <section {...getRootProps(texts, "colloquy-inbox", className)} aria-labelledby={headingId} aria-busy={isLoading}>
      <header className="colloquy-header">
        <Heading headingLevel={headingLevel} id={headingId}>
          {label ?? texts.inbox}
        </Heading>
        <p role="status" className="colloquy-badge" data-empty={unreadCount === 0}>
          {isKnown && texts.unread(unreadCount)}
        </p>
        <div className="colloquy-header-actions">
          {unreadCount > 0 && tab !== "archived" && (
            <ActionButton
              action={all}
              task={() => inbox.markRead()}
              next={() => list.current}
              className="colloquy-icon-button"
              variant="quiet"
              label={texts.markAllRead}
            >
              <Icon name="checks" />
            </ActionButton>
          )}
          {actions}
        </div>
      </header>
      <ErrorMessage error={all.error} />
      <Tabs
        label={texts.notifications}
        tabs={[
          { id: "all", label: texts.tabAll },
          { id: "unread", label: texts.tabUnread, count: unreadCount },
          { id: "mentions", label: texts.tabMentions },
          { id: "archived", label: texts.tabArchived },
        ]}
        selected={tab}
        select={setTab}
      >
        <Notice {...{ isLoading: isLoading || isSearching, error, retry, list, empty }} />
        <ul ref={list} tabIndex={-1} aria-label={texts.notifications} {...roving}>
          {groupByThread(shown).map((group) => (
            <InboxItem
              key={group.at(-1)?.id}
              {...{ group, inbox, links, getDocumentName, list, isArchive: tab === "archived" }}
            />
          ))}
        </ul>
        {hasMore && !isSearching && <MoreButton loadMore={loadMore} list={list} />}
      </Tabs>
    </section>
  );
}

function isInTab(notification: Notification, tab: InboxTab): boolean {
  if (tab === "unread") return !notification.isRead;
  return tab !== "mentions" || isMention(notification);
}

function getEmptyText(tab: InboxTab, texts: Texts): string {
  const empty = {
    all: texts.inboxEmpty,
    unread: texts.noUnread,
    mentions: texts.noMentions,
    archived: texts.noArchived,
  };
  return empty[tab];
}
