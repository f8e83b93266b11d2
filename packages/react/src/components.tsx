import type { Activity } from "@colloquy/client";
import { type ReactElement, useRef } from "react";
import { useActivities, usePresence } from "./hooks.ts";
import { getInitials } from "./initials.ts";
import { ItemText, type Selection } from "./item-text.tsx";
import { MoreButton, Notice, Time } from "./notice.tsx";
import { getRootProps } from "./root-props.ts";
import { getMessage, getName } from "./template.ts";
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

/** Shows who is in a document. */
export function Avatars({ documentId, max, label, className }: AvatarsProps): ReactElement {
  const texts = useTexts();
  const { data, isLoading, error, retry } = usePresence({ documentId });
  const list = useRef<HTMLUListElement>(null);
  const present = data.filter(({ status }) => status !== "offline");
  const users = present.slice(0, max).map((user) => {
    const { userId, status } = user;
    const name = getName(user, texts);
    return { userId, status, initials: getInitials(name), title: status === "away" ? texts.away(name) : name };
  });
  const hidden = present.length - users.length;
  return (
    <div {...getRootProps(texts, "colloquy-avatars", className)} aria-busy={isLoading}>
      <ul ref={list} tabIndex={-1} aria-label={label ?? texts.avatars}>
        {users.map(({ userId, status, initials, title }) => (
          <li key={userId} className="colloquy-avatar" data-status={status} title={title}>
            <span aria-hidden="true">{initials}</span>
            <span className="colloquy-hidden">{title}</span>
          </li>
        ))}
        {hidden > 0 && (
          <li className="colloquy-avatar">
            <span aria-hidden="true">+{hidden}</span>
            <span className="colloquy-hidden">{texts.moreUsers(hidden)}</span>
          </li>
        )}
      </ul>
      <Notice {...{ isLoading, error, retry, list }} />
    </div>
  );
}

/** Props of `ActivityFeed`. */
export interface ActivityFeedProps extends Selection<Activity> {
  /** All documents that the user may read by default. */
  documentId?: string | undefined;
  /** Name for screen readers. */
  label?: string | undefined;
  className?: string | undefined;
}

/** Shows what has happened in a document, or in all that the user may read. */
export function ActivityFeed({ documentId, label, className, ...selection }: ActivityFeedProps): ReactElement {
  const texts = useTexts();
  const { data, isLoading, error, retry, hasMore, loadMore } = useActivities({ documentId });
  const list = useRef<HTMLOListElement>(null);
  const empty = data.length === 0 && !hasMore ? texts.noActivity : undefined;
  const name = label ?? texts.activity;
  return (
    <section {...getRootProps(texts, "colloquy-feed", className)} aria-label={name} aria-busy={isLoading}>
      <Notice {...{ isLoading, error, retry, list, empty }} />
      <ol ref={list} tabIndex={-1} aria-label={name}>
        {data.map((activity) => {
          const { id, timestamp } = activity;
          return (
            <li key={id}>
              <ItemText record={activity} selection={selection}>
                {getMessage(activity, texts)}
              </ItemText>{" "}
              <Time at={timestamp} />
            </li>
          );
        })}
      </ol>
      {hasMore && <MoreButton loadMore={loadMore} list={list} />}
    </section>
  );
}
