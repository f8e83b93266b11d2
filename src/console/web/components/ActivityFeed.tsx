import { Button, Text } from "@mantine/core";
import type { Activity } from "../api/records.ts";
import { FilterLink } from "./FilterLink.tsx";
import { messageOf, nameOf } from "./message.ts";
import { Time } from "./Time.tsx";
import { Verbatim } from "./Verbatim.tsx";

/** What an activity says to people: its template filled in, or who did what. */
function sentenceOf({ displayMessageTemplate, displayMessageTemplateData, actionUser, actionType }: Activity): string {
  if (!displayMessageTemplate) return `${nameOf(actionUser)}: ${actionType}`;
  return messageOf(displayMessageTemplate, displayMessageTemplateData);
}

interface ActivityFeedProps {
  activities: Activity[];
  /** Where the parts of an activity lead: the feed filtered by them. */
  linkTo: (activity: Activity, filter: { document?: string; user?: string; action?: string }) => string;
  onSelect: (activity: Activity) => void;
  /** Tells the organization too, where the feed is of more than one. */
  hasOrganizations?: boolean;
}

export function ActivityFeed({ activities, linkTo, onSelect, hasOrganizations = false }: ActivityFeedProps) {
  return (
    <ul className="rows">
      {activities.map((activity) => {
        const { metadata, actionUser, actionType, featureType, timestamp } = activity;
        const { documentId, organizationId } = metadata;
        return (
          <li key={`${organizationId}\n${activity.id}`}>
            <div>
              <Text size="sm" lineClamp={3}>
                <Verbatim>{sentenceOf(activity)}</Verbatim>
              </Text>
              <Text size="xs" c="dimmed" component="div" className="details">
                <Time at={timestamp} />
                <span className="feature" data-feature={featureType}>
                  <Verbatim>{featureType}</Verbatim>
                </span>
                <FilterLink href={linkTo(activity, { action: actionType })}>
                  <Verbatim>{actionType}</Verbatim>
                </FilterLink>
                <FilterLink href={linkTo(activity, { user: actionUser.userId })}>
                  <Verbatim>{nameOf(actionUser)}</Verbatim>
                </FilterLink>
                <FilterLink href={linkTo(activity, { document: documentId })}>
                  {hasOrganizations && (
                    <>
                      <Verbatim>{organizationId}</Verbatim> /{" "}
                    </>
                  )}
                  <Verbatim>{documentId}</Verbatim>
                </FilterLink>
              </Text>
            </div>
            <Button size="compact-xs" variant="default" onClick={() => onSelect(activity)}>
              Record
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
