import { Text } from "@mantine/core";
import type { ApiRequest } from "../../api/call.ts";
import type { Notification } from "../../api/records.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { DocumentPicker } from "../../components/DocumentPicker.tsx";
import { userLabel } from "../../components/display-text.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { EXAMPLE_NOTIFICATION } from "../../components/example-requests.ts";
import { FilterLink } from "../../components/FilterLink.tsx";
import { NoOrganizationPanel } from "../../components/NoOrganizationPanel.tsx";
import { pluralize } from "../../components/numbers.ts";
import { OrganizationSelect, useSelectedOrganization } from "../../components/OrganizationSelect.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { RecordList } from "../../components/RecordList.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { headlineOf } from "./headline.ts";
import { Preferences } from "./Preferences.tsx";

const PATH = "/v2/notifications/get";
const PAGE_SIZE = 50;

/** What the people of an organization were told: of a document, or one person's list. */
export default function NotificationsPage() {
  const { get } = useUrlParameters();
  const chosen = useSelectedOrganization();
  const { organizationId } = chosen;
  const [document, user] = [get("document"), get("user")];
  const isScoped = document !== undefined || user !== undefined;
  return (
    <>
      <PageTitle title="Notifications">
        What people were told about a document, or what stands in a person's list, newest first.
      </PageTitle>
      <search className="filters" aria-label="Which notifications">
        <OrganizationSelect chosen={chosen} />
        <TextFilter label="Document" name="document" placeholder="Id" />
        <TextFilter label="Person" name="user" placeholder="Id" />
      </search>
      {organizationId === undefined && <NoOrganizationPanel title="Notifications" chosen={chosen} />}
      {organizationId !== undefined && !isScoped && (
        <DocumentPicker organizationId={organizationId}>
          Choose a document to see what people were told about it, or name a person above.
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
  const apiQuery = useApiQuery<Notification[]>(PATH, {
    organizationId,
    documentId,
    userId,
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  return (
    <RecordList
      title={userId === undefined ? "Notifications" : `In the list of ${userId}`}
      label="notifications"
      apiQuery={apiQuery}
      empty={
        <EmptyState first={firstFor({ organizationId, documentId, userId })}>
          {userId === undefined
            ? "Nobody was told anything about this document. Your backend adds notifications, such as by this:"
            : "Nothing stands in this list: what is read leaves it, preferences keep things out. This adds one:"}
        </EmptyState>
      }
      recordTitle="Notification record"
      idOf={({ id }) => id}
      requestFor={(id) => ({ path: PATH, data: { organizationId, documentId, userId, notificationIds: [id] } })}
    >
      {(notification) => <Summary notification={notification} />}
    </RecordList>
  );
}

/** A notification that would stand in the list. */
function firstFor({ organizationId, documentId, userId }: Scope): ApiRequest {
  const { path, data } = EXAMPLE_NOTIFICATION;
  const place = { organizationId, ...(documentId !== undefined && { documentId }) };
  return { path, data: { ...data, ...place, ...(userId !== undefined && { notifyUsers: [{ userId }] }) } };
}

function Summary({ notification }: { notification: Notification }) {
  const { get, link } = useUrlParameters();
  const { displayBodyMessage, actionUser, notifyUsersByUserId, notificationSource, metadata, timestamp } = notification;
  const named = Object.keys(notifyUsersByUserId);
  const only = named.length === 1 ? named[0] : undefined;
  const headline = headlineOf(notification, get("user") ?? only);
  return (
    <>
      <Text size="sm" lineClamp={3}>
        <UntrustedText>{headline || `${userLabel(actionUser)}: ${notificationSource}`}</UntrustedText>
      </Text>
      {displayBodyMessage && (
        <Text size="sm" c="dimmed" lineClamp={3}>
          <UntrustedText>{displayBodyMessage}</UntrustedText>
        </Text>
      )}
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={timestamp} />
        <UntrustedText>{notificationSource}</UntrustedText>
        <span>
          by <UntrustedText>{userLabel(actionUser)}</UntrustedText>
        </span>
        {only !== undefined && (
          <FilterLink href={link({ user: only, page: undefined })}>
            names <UntrustedText>{only}</UntrustedText>
          </FilterLink>
        )}
        {named.length > 1 && <span>names {pluralize(named.length, "person", "people")}</span>}
        <FilterLink href={link({ document: metadata.documentId, page: undefined })}>
          <UntrustedText>{metadata.documentId}</UntrustedText>
        </FilterLink>
      </Text>
    </>
  );
}
