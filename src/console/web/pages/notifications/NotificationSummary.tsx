import { Text } from "@mantine/core";
import { userLabel } from "../../components/display-text.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { Headline } from "../../components/RecordRow.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import type { KnownUsers } from "../../components/UserField.tsx";
import { useUrlParameters } from "../../url.ts";
import { buildBody, getHeadline } from "./headline.ts";
import { getRecipients, type ListedNotification, readState, recipientNames, withNames } from "./recipients.ts";

interface NotificationSummaryProps {
  notification: ListedNotification;
  documentName: string;
  /** Users whose names are known, by ID. */
  users: KnownUsers;
}

/** A notification in a list, with who got it and whether they have read it. */
export function NotificationSummary({ notification, documentName, users }: NotificationSummaryProps) {
  const { get, link } = useUrlParameters();
  const { actionUser, notificationSource, metadata, timestamp } = notification;
  const recipients = withNames(getRecipients(notification), users);
  const onlyRecipient = recipients.total === 1 ? recipients.shown[0] : undefined;
  const inboxUserId = get("user");
  const recipientId = inboxUserId ?? onlyRecipient?.userId;
  const headline = getHeadline(notification, recipientId);
  const body = buildBody(notification, recipientId);
  return (
    <>
      <Headline>
        <UntrustedText>{headline || `${userLabel(actionUser)}: ${notificationSource}`}</UntrustedText>
      </Headline>
      {body && (
        <Text size="sm" c="dimmed" lineClamp={3}>
          <UntrustedText>{body}</UntrustedText>
        </Text>
      )}
      <Text size="xs" c="dimmed" component="div" className="details">
        <ReadState notification={notification} />
        <Time at={timestamp} />
        <UntrustedText>{notificationSource}</UntrustedText>
        <span>
          by <UntrustedText>{userLabel(actionUser)}</UntrustedText>
        </span>
        {onlyRecipient && onlyRecipient.userId !== inboxUserId && (
          <FilterLink href={link({ user: onlyRecipient.userId })}>
            to <UntrustedText>{userLabel(onlyRecipient)}</UntrustedText>
          </FilterLink>
        )}
        {recipients.total > 1 && (
          <span>
            to <UntrustedText>{recipientNames(recipients)}</UntrustedText>
          </span>
        )}
        <FilterLink href={link({ document: metadata.documentId })}>
          <UntrustedText>{documentName}</UntrustedText>
        </FilterLink>
      </Text>
    </>
  );
}

/** Whether the user of an inbox has read a notification, or else how many of its recipients. */
function ReadState({ notification }: { notification: ListedNotification }) {
  const { isRead, readAt } = notification;
  const recipients = getRecipients(notification);
  if (readAt !== undefined) {
    return (
      <span className="read-state">
        read <Time at={readAt} />
      </span>
    );
  }
  const state = isRead === undefined ? readState(recipients) : "unread";
  if (isRead === undefined && recipients.total === 0) return <span>no recipients</span>;
  return (
    <span className="read-state" data-state={isRead === undefined ? undefined : state}>
      {state}
    </span>
  );
}
