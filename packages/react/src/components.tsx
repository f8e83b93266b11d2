import type { Presence } from "@colloquy/client";
import { type ReactElement, useRef } from "react";
import { useActivities, usePresence } from "./hooks.ts";
import { MoreButton, Notice, Time } from "./notice.tsx";
import { fillTemplate, initialsOf, nameOf } from "./template.ts";

/** Props of `Avatars`. */
export interface AvatarsProps {
  documentId: string;
  /** Name for screen readers. */
  label?: string;
}

/** Shows who is in a document. */
export function Avatars({ documentId, label = "In this document" }: AvatarsProps): ReactElement {
  const { data, isLoading, error, retry } = usePresence({ documentId });
  const list = useRef<HTMLUListElement>(null);
  const users = data.filter(({ status }) => status !== "offline");
  return (
    <div className="colloquy-avatars" aria-busy={isLoading}>
      <ul ref={list} tabIndex={-1} aria-label={label}>
        {users.map((user) => (
          <li key={user.userId} className="colloquy-avatar" data-status={user.status} title={nameWithStatus(user)}>
            <span aria-hidden="true">{initialsOf(nameOf(user))}</span>
            <span className="colloquy-hidden">{nameWithStatus(user)}</span>
          </li>
        ))}
      </ul>
      <Notice {...{ isLoading, error, retry, list }} />
    </div>
  );
}

function nameWithStatus(user: Presence): string {
  return user.status === "away" ? `${nameOf(user)} (away)` : nameOf(user);
}

/** Props of `ActivityFeed`. */
export interface ActivityFeedProps {
  documentId: string;
  /** Name for screen readers. */
  label?: string;
}

/** Shows what has happened in a document. */
export function ActivityFeed({ documentId, label = "Activity" }: ActivityFeedProps): ReactElement {
  const { data, isLoading, error, retry, hasMore, loadMore } = useActivities({ documentId });
  const list = useRef<HTMLOListElement>(null);
  return (
    <section className="colloquy-feed" aria-label={label} aria-busy={isLoading}>
      <Notice
        {...{ isLoading, error, retry, list }}
        empty={data.length === 0 && !hasMore ? "No activity yet." : undefined}
      />
      <ol ref={list} tabIndex={-1} aria-label={label}>
        {data.map((activity) => {
          const { id, actionUser, actionType, displayMessageTemplate, displayMessageTemplateData, timestamp } =
            activity;
          const text = fillTemplate(displayMessageTemplate ?? `${nameOf(actionUser)}: ${actionType}`, {
            actionUser,
            ...displayMessageTemplateData,
          });
          return (
            <li key={id}>
              {text} <Time at={timestamp} />
            </li>
          );
        })}
      </ol>
      {hasMore && <MoreButton loadMore={loadMore} list={list} />}
    </section>
  );
}
