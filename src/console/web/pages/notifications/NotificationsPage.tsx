import { Text } from "@mantine/core";
import type { AnyApiRequest } from "../../api/call.ts";
import type { Notification } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { DocumentPicker } from "../../components/DocumentPicker.tsx";
import { userLabel } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_NOTIFICATION } from "../../components/example-requests.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { Filters } from "../../components/Filters.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { pluralize } from "../../components/numbers.ts";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { RecordList } from "../../components/RecordList.tsx";
import { DocumentFilter, UserFilter } from "../../components/SuggestingFilters.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { bodyOf, headlineOf } from "./headline.ts";
import { NotificationDetail } from "./NotificationDetail.tsx";
import { Preferences } from "./Preferences.tsx";

const PATH = "/v2/notifications/get";
const PAGE_SIZE = 50;

/** Shows the notifications about a document, or the inbox of a user. */
export default function NotificationsPage() {
  const { get } = useUrlParameters();
  const selected = useSelectedOrganization();
  const { organizationId } = selected;
  const [document, user] = [get("document"), get("user")];
  const isScoped = document !== undefined || user !== undefined;
  return (
    <>
      <PageTitle title="Notifications">Notifications about a document, or a user's inbox, newest first.</PageTitle>
      <Filters>
        <OrganizationSelect selected={selected} />
        <DocumentFilter organizationId={organizationId} placeholder="Name or ID" />
        <UserFilter organizationId={organizationId} placeholder="Name, address or ID" />
      </Filters>
      {organizationId === undefined && <NoOrganizationPanel title="Notifications" selected={selected} />}
      {organizationId !== undefined && !isScoped && (
        <DocumentPicker organizationId={organizationId}>
          Choose a document to see its notifications, or enter a user above to see their inbox.
        </DocumentPicker>
      )}
      {organizationId !== undefined && user !== undefined && (
        <Preferences organizationId={organizationId} userId={user} documentId={document} />
      )}
      {organizationId !== undefined && isScoped && (
        <NotificationList organizationId={organizationId} documentId={document} userId={user} />
      )}
    </>
  );
}

interface Scope {
  organizationId: string;
  documentId: string | undefined;
  userId: string | undefined;
}

function NotificationList({ organizationId, documentId, userId }: Scope) {
  const { get } = useUrlParameters();
  const apiQuery = useApiQuery(PATH, {
    organizationId,
    documentId,
    userId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  return (
    <RecordList
      title={userId === undefined ? "Notifications" : `${userId}'s inbox`}
      label="notifications"
      path={PATH}
      apiQuery={apiQuery}
      recordsIn={(notifications) => notifications}
      empty={
        <EmptyState example={exampleFor({ organizationId, documentId, userId })}>
          {userId === undefined
            ? "No notifications about this document yet. Run this command to add one:"
            : "Inbox is empty. Read notifications leave it. Run this command to add one:"}
        </EmptyState>
      }
      recordTitle="Notification"
      idOf={({ id }) => id}
      requestFor={(id) => ({ organizationId, documentId, userId, notificationIds: [id] })}
      details={(notification) => (
        <NotificationDetail organizationId={organizationId} notification={notification} userId={userId} />
      )}
    >
      {(notification) => <Summary notification={notification} />}
    </RecordList>
  );
}

/** Returns a request that adds a notification to the list. */
function exampleFor({ organizationId, documentId, userId }: Scope): AnyApiRequest {
  const { path, data } = EXAMPLE_NOTIFICATION;
  const scope = { organizationId, ...(documentId !== undefined && { documentId }) };
  return { path, data: { ...data, ...scope, ...(userId !== undefined && { notifyUsers: [{ userId }] }) } };
}

function Summary({ notification }: { notification: Notification }) {
  const { get, link } = useUrlParameters();
  const { actionUser, notifyUsersByUserId, notificationSource } = notification;
  const { metadata, timestamp, readAt } = notification;
  const recipients = Object.keys(notifyUsersByUserId);
  const onlyRecipient = recipients.length === 1 ? recipients[0] : undefined;
  const recipientId = get("user") ?? onlyRecipient;
  const headline = headlineOf(notification, recipientId);
  const body = bodyOf(notification, recipientId);
  return (
    <>
      <Text size="sm" lineClamp={3}>
        <UntrustedText>{headline || `${userLabel(actionUser)}: ${notificationSource}`}</UntrustedText>
      </Text>
      {body && (
        <Text size="sm" c="dimmed" lineClamp={3}>
          <UntrustedText>{body}</UntrustedText>
        </Text>
      )}
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={timestamp} />
        {readAt !== undefined && (
          <span>
            read <Time at={readAt} />
          </span>
        )}
        <UntrustedText>{notificationSource}</UntrustedText>
        <span>
          by <UntrustedText>{userLabel(actionUser)}</UntrustedText>
        </span>
        {onlyRecipient !== undefined && (
          <FilterLink href={link({ user: onlyRecipient, page: undefined })}>
            to <UntrustedText>{onlyRecipient}</UntrustedText>
          </FilterLink>
        )}
        {recipients.length > 1 && <span>to {pluralize(recipients.length, "user")}</span>}
        <FilterLink href={link({ document: metadata.documentId, page: undefined })}>
          <UntrustedText>{metadata.documentId}</UntrustedText>
        </FilterLink>
      </Text>
    </>
  );
}
