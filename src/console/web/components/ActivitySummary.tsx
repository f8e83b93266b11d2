import { Text } from "@mantine/core";
import type { Activity } from "../api/records.ts";
import { activityMessage, changeText, fieldChanges, namesUser } from "./activity-text.ts";
import { userLabel } from "./display-text.ts";
import { FilterLink } from "./FilterLink.tsx";
import { getFeatureLabel } from "./features.ts";
import { Headline } from "./RecordRow.tsx";
import { Time } from "./Time.tsx";
import { UntrustedText } from "./UntrustedText.tsx";
import { WithAvatar } from "./WithAvatar.tsx";

/** Maximum number of changes shown. */
const SHOWN_CHANGES = 3;

interface ActivitySummaryProps {
  activity: Activity;
  /** Returns the URL of the feed filtered by a part of the activity. */
  linkTo: (filter: { document?: string; user?: string; action?: string }) => string;
  /** Name of the document. */
  documentName: string;
  /** Name of the organization to show, in lists of several. */
  organizationName?: string;
}

/** The message, time and document of an activity, and its user unless the message names them. */
export function ActivitySummary({ activity, linkTo, documentName, organizationName }: ActivitySummaryProps) {
  const { metadata, actionUser, actionType, featureType, timestamp } = activity;
  const { documentId } = metadata;
  const changed = fieldChanges(activity.changes).slice(0, SHOWN_CHANGES);
  const user = userLabel(actionUser);
  const userHref = linkTo({ user: actionUser.userId });
  return (
    <WithAvatar kind="user" id={actionUser.userId} name={user} href={userHref} label={`Activities of ${user}`}>
      <Headline>
        <UntrustedText>{activityMessage(activity)}</UntrustedText>
      </Headline>
      {changed.length > 0 && (
        <Text size="xs" lineClamp={2}>
          <UntrustedText>{changed.map(changeText).join(" · ")}</UntrustedText>
        </Text>
      )}
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={timestamp} />
        <span className="feature" data-feature={featureType}>
          {getFeatureLabel(featureType)}
        </span>
        <FilterLink href={linkTo({ action: actionType })}>
          <UntrustedText>{actionType}</UntrustedText>
        </FilterLink>
        {!namesUser(activity) && (
          <FilterLink href={userHref}>
            <UntrustedText>{user}</UntrustedText>
          </FilterLink>
        )}
        <FilterLink href={linkTo({ document: documentId })}>
          {organizationName !== undefined && (
            <>
              <UntrustedText>{organizationName}</UntrustedText> /{" "}
            </>
          )}
          <UntrustedText>{documentName}</UntrustedText>
        </FilterLink>
      </Text>
    </WithAvatar>
  );
}
