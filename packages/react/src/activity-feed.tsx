import type { Activity } from "@colloquy/client";
import { type ReactElement, type ReactNode, useId, useRef, useState } from "react";
import { type ActivityGroup, groupByDay } from "./activity-groups.ts";
import { Day, useStartOfDay } from "./day.tsx";
import { ExpandButton } from "./expand-button.tsx";
import { Heading, type HeadingProps } from "./heading.tsx";
import { useActivities } from "./hooks.ts";
import { ItemText, type LinkProps } from "./item-text.tsx";
import { KindIcon } from "./kind-icon.tsx";
import { MoreButton, Notice, Time } from "./notice.tsx";
import { RecordUserPhoto } from "./record-user.tsx";
import { getRootProps } from "./root-props.ts";
import { getMessage } from "./template.ts";
import { useTexts } from "./texts.tsx";
import { useNow } from "./use-now.ts";

/** Props of `ActivityFeed`. */
export interface ActivityFeedProps extends LinkProps<Activity>, HeadingProps {
  /** All documents that the user may read by default. */
  documentId?: string | undefined;
  /** Returns what to show for an activity; `message` is the text that is shown otherwise. */
  renderItem?: ((activity: Activity, message: ReactNode) => ReactNode) | undefined;
  className?: string | undefined;
}

/**
 * Shows what has happened in a document, or in all that the user may read, by days. What a user does several times in a
 * row is one entry, which shows the others on demand.
 */
export function ActivityFeed(props: ActivityFeedProps): ReactElement {
  const { documentId, renderItem = showMessage, label, headingLevel = 2, className, ...links } = props;
  const texts = useTexts();
  const now = useNow();
  const { data, isLoading, error, retry, hasMore, loadMore } = useActivities({ documentId });
  const headingId = useId();
  const list = useRef<HTMLDivElement>(null);
  const startOfDay = useStartOfDay();
  const today = startOfDay(now);
  const empty = data.length === 0 && !hasMore ? texts.noActivity : undefined;
  return (
    <section {...getRootProps(texts, "colloquy-feed", className)} aria-labelledby={headingId} aria-busy={isLoading}>
      <header className="colloquy-header">
        <Heading headingLevel={headingLevel} id={headingId}>
          {label ?? texts.activity}
        </Heading>
      </header>
      <Notice {...{ isLoading, error, retry, list, empty }} />
      {/* biome-ignore lint/a11y/useSemanticElements: This is a list, and not a part of a form. */}
      <div ref={list} tabIndex={-1} role="group" aria-labelledby={headingId}>
        {groupByDay(data, startOfDay).map(({ day, groups }) => (
          <Day key={day} start={day} listLevel={headingLevel}>
            {groups.map((group) => (
              <Entry
                key={group.at(-1)?.id}
                {...{ group, links, renderItem }}
                format={day === today ? "time" : "clock"}
              />
            ))}
          </Day>
        ))}
      </div>
      {hasMore && <MoreButton loadMore={loadMore} list={list} />}
    </section>
  );
}

function showMessage(_activity: Activity, message: ReactNode): ReactNode {
  return message;
}

interface EntryProps {
  group: ActivityGroup;
  links: LinkProps<Activity>;
  renderItem: NonNullable<ActivityFeedProps["renderItem"]>;
  /** How times are shown. */
  format: "time" | "clock";
}

function Entry({ group, links, renderItem, format }: EntryProps): ReactElement {
  const texts = useTexts();
  const [isExpanded, setExpanded] = useState(false);
  const [newest, ...others] = group;
  const { actionUser, messageKey, actionType, timestamp } = newest;
  const toText = (activity: Activity) =>
    renderItem(
      activity,
      <ItemText record={activity} links={links}>
        {getMessage(activity, texts)}
      </ItemText>,
    );
  return (
    <li className="colloquy-activity">
      <RecordUserPhoto user={actionUser}>
        <KindIcon messageKey={messageKey ?? actionType} />
      </RecordUserPhoto>
      <div className="colloquy-activity-text">
        {toText(newest)} <Time at={timestamp} format={format} />{" "}
        {others.length > 0 && <ExpandButton {...{ isExpanded, setExpanded }} label={texts.moreLike(others.length)} />}
        {isExpanded && (
          <ol className="colloquy-earlier">
            {others.map((activity) => (
              <li key={activity.id}>
                {toText(activity)} <Time at={activity.timestamp} format={format} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </li>
  );
}
