import type { AnyApiRequest } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { useDocumentNames, usePlaceNames } from "../../components/document-names.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_NOTIFICATION } from "../../components/example-requests.ts";
import { Filters } from "../../components/Filters.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { useOrganizationName } from "../../components/organization-names.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { RecordList } from "../../components/RecordList.tsx";
import { KeptFor } from "../../components/Retention.tsx";
import { DocumentFilter, UserFilter } from "../../components/SuggestingFilters.tsx";
import { TriggerNotificationNote } from "../../components/TriggerNotificationNote.tsx";
import type { KnownUsers } from "../../components/UserField.tsx";
import { useNamedUsers, useUserName } from "../../components/user-name.ts";
import { useUrlParameters } from "../../url.ts";
import { DocumentPreferences } from "./DocumentPreferences.tsx";
import { NotificationDetail } from "./NotificationDetail.tsx";
import { NotificationSummary } from "./NotificationSummary.tsx";
import { Preferences } from "./Preferences.tsx";
import { getRecipients, MAX_NAMED } from "./recipients.ts";

const PATH = "/v2/notifications/get";
const ORGANIZATION_PATH = "/v2/organizations/notifications/get";
/** The notifications of an organization have the names of their recipients. */
const NO_USERS: KnownUsers = new Map();

/** Shows the notifications of an organization or document, or the inbox of a user. */
export default function NotificationsPage() {
  const { get } = useUrlParameters();
  const selected = useSelectedOrganization({ isOptional: true });
  const { organizationId } = selected;
  const [documentId, userId] = [get("document"), get("user")];
  const isScoped = documentId !== undefined || userId !== undefined;
  return (
    <>
      <PageTitle title="Notifications">
        Who was notified of what, and who has read it. Choose a user to see their inbox and preferences.
        <KeptFor kind="notificationDays" />
      </PageTitle>
      <TriggerNotificationNote />
      <Filters hasViews hidden={["document", "user"]}>
        <OrganizationSelect selected={selected} />
        <DocumentFilter organizationId={organizationId} placeholder="Name or ID" />
        <UserFilter organizationId={organizationId} placeholder="Name, address or ID" />
      </Filters>
      {organizationId === undefined && <NoOrganizationPanel title="Notifications" selected={selected} />}
      {organizationId !== undefined && !isScoped && <OrganizationNotifications organizationId={organizationId} />}
      {organizationId !== undefined && userId !== undefined && (
        <div className="columns">
          <Preferences {...{ organizationId, userId, documentId }} />
          <DocumentPreferences {...{ organizationId, userId }} />
        </div>
      )}
      {organizationId !== undefined && isScoped && <ScopedNotifications {...{ organizationId, documentId, userId }} />}
    </>
  );
}

/** The notifications of all documents of an organization, the last added first. */
function OrganizationNotifications({ organizationId }: { organizationId: string }) {
  const { get } = useUrlParameters();
  const name = useOrganizationName(organizationId);
  const apiQuery = useApiQuery(ORGANIZATION_PATH, { organizationId, pageSize: usePageSize(), pageToken: get("page") });
  const toDocumentName = usePlaceNames(apiQuery.query.data?.data.map(({ metadata }) => metadata) ?? []);
  return (
    <RecordList
      title={`Notifications in ${name}`}
      label="notifications"
      path={ORGANIZATION_PATH}
      apiQuery={apiQuery}
      recordsIn={(notifications) => notifications}
      empty={
        <EmptyState example={exampleFor({ organizationId, documentId: undefined, userId: undefined })}>
          No notifications in this organization yet. A comment adds one if it has <code>triggerNotification: true</code>
          . Run this command to add a custom one:
        </EmptyState>
      }
      recordTitle="Notification"
      getId={({ id }) => id}
      requestFor={(id) => ({ organizationId, notificationIds: [id] })}
      details={(notification) => (
        <NotificationDetail organizationId={organizationId} notification={notification} userId={undefined} />
      )}
    >
      {(notification) => (
        <NotificationSummary
          notification={notification}
          documentName={toDocumentName(notification.metadata)}
          users={NO_USERS}
        />
      )}
    </RecordList>
  );
}

interface Scope {
  organizationId: string;
  documentId: string | undefined;
  userId: string | undefined;
}

/** The notifications about a document, or the inbox of a user, newest first. */
function ScopedNotifications({ organizationId, documentId, userId }: Scope) {
  const { get } = useUrlParameters();
  const name = useOrganizationName(organizationId);
  const userName = useUserName(organizationId, userId);
  const apiQuery = useApiQuery(PATH, {
    organizationId,
    documentId,
    userId,
    pageSize: usePageSize(),
    pageToken: get("page"),
  });
  const shown = apiQuery.query.data?.data ?? [];
  const recipientIds = shown.flatMap((one) =>
    getRecipients(one)
      .shown.slice(0, MAX_NAMED)
      .map((user) => user.userId),
  );
  const users = useNamedUsers(
    organizationId,
    recipientIds.filter((id) => id !== userId),
  );
  const toDocumentName = usePlaceNames(shown.map(({ metadata }) => metadata));
  const documentName = useDocumentNames(organizationId, documentId === undefined ? [] : [documentId])(documentId ?? "");
  return (
    <RecordList
      title={userId === undefined ? `Notifications about ${documentName}` : `${userName}'s inbox in ${name}`}
      label="notifications"
      path={PATH}
      apiQuery={apiQuery}
      recordsIn={(notifications) => notifications}
      empty={
        <EmptyState example={exampleFor({ organizationId, documentId, userId })}>
          {userId === undefined
            ? "No notifications about this document yet."
            : "Inbox is empty. Read notifications leave it."}{" "}
          A comment adds one if it has <code>triggerNotification: true</code>. Run this command to add a custom one:
        </EmptyState>
      }
      recordTitle="Notification"
      getId={({ id }) => id}
      requestFor={(id) => ({ organizationId, documentId, userId, notificationIds: [id] })}
      details={(notification) => (
        <NotificationDetail organizationId={organizationId} notification={notification} userId={userId} />
      )}
    >
      {(notification) => (
        <NotificationSummary
          notification={notification}
          documentName={toDocumentName(notification.metadata)}
          users={users}
        />
      )}
    </RecordList>
  );
}

/** Returns a request that adds a notification to the list. */
function exampleFor({ organizationId, documentId, userId }: Scope): AnyApiRequest {
  const { path, data } = EXAMPLE_NOTIFICATION;
  const scope = { organizationId, ...(documentId !== undefined && { documentId }) };
  return { path, data: { ...data, ...scope, ...(userId !== undefined && { notifyUsers: [{ userId }] }) } };
}
