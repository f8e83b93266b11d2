import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { DocumentName } from "../../components/DocumentName.tsx";
import { userLabel } from "../../components/display-text.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Loading } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { UserLink } from "../../components/UserLink.tsx";
import { useNamedUsers } from "../../components/user-name.ts";
import { WithAvatar } from "../../components/WithAvatar.tsx";
import { buildBody, getHeadline } from "./headline.ts";
import type { ListedNotification } from "./recipients.ts";

const PATH = "/v2/notifications/explain";
/** Maximum number of users in one request. */
const MAX_USERS = 20;

type Explained = ResponseData<typeof PATH>[number];

interface NotificationDetailProps {
  organizationId: string;
  notification: ListedNotification;
  /** User whose inbox the page shows, who may not be named in the notification. */
  userId: string | undefined;
}

/** A notification, and for each recipient whether it was read, or which rule kept it from them. */
export function NotificationDetail({ organizationId, notification, userId }: NotificationDetailProps) {
  const { id, notifyUsersByUserId, timestamp, metadata, recipients = [] } = notification;
  const users = recipients.map(({ user }) => user);
  const unnamed = Object.keys(notifyUsersByUserId).filter((id) => !users.some(({ userId }) => userId === id));
  const known = useNamedUsers(organizationId, unnamed, users);
  const named = [...new Set([...Object.keys(notifyUsersByUserId), ...known.keys()])];
  const userIds = [...new Set([...(userId === undefined ? [] : [userId]), ...named])];
  const headline = getHeadline(notification, userId ?? named[0]);
  const body = buildBody(notification, userId ?? named[0]);
  return (
    <>
      <div>
        {headline && (
          <Text fw={600}>
            <UntrustedText>{headline}</UntrustedText>
          </Text>
        )}
        {body && (
          <Text size="sm">
            <UntrustedText>{body}</UntrustedText>
          </Text>
        )}
        <Text size="xs" c="dimmed" component="div" className="details">
          <Time at={timestamp} />
          <DocumentName place={metadata} />
        </Text>
      </div>
      {userIds.length === 0 ? (
        <Text size="sm">No recipients. Select a user to check their inbox.</Text>
      ) : (
        <Recipients
          request={{ organizationId, notificationId: id, userIds: userIds.slice(0, MAX_USERS) }}
          known={known}
        />
      )}
      {userIds.length > MAX_USERS && (
        <Text size="sm" c="dimmed">
          Showing the first {MAX_USERS} of {userIds.length} recipients. Select a user to see another one.
        </Text>
      )}
    </>
  );
}

interface User {
  userId: string;
  name?: string;
  email?: string;
}

interface RecipientsProps {
  request: { organizationId: string; notificationId: string; userIds: string[] };
  /** Users whose names are known, by ID. */
  known: ReadonlyMap<string, User>;
}

function Recipients({ request, known }: RecipientsProps) {
  const { query, error } = useApiQuery(PATH, request);
  const { data, refetch } = query;
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <ul className="rows" aria-label="Recipients">
      {data.data.map((explained) => (
        <li key={explained.userId}>
          <Recipient
            organizationId={request.organizationId}
            user={known.get(explained.userId) ?? { userId: explained.userId }}
            explained={explained}
          />
        </li>
      ))}
    </ul>
  );
}

interface RecipientProps {
  organizationId: string;
  user: User;
  explained: Explained;
}

function Recipient({ organizationId, user, explained }: RecipientProps) {
  const { inbox, email, readAt, preferences } = explained;
  const mails = new URLSearchParams({ organization: organizationId, user: user.userId });
  return (
    <WithAvatar kind="user" id={user.userId} name={userLabel(user)}>
      <Text size="sm" component="div" className="details">
        <UserLink organizationId={organizationId} user={user} />
        {readAt !== undefined && (
          <strong>
            read <Time at={readAt} />
          </strong>
        )}
        {readAt === undefined && <strong>{inbox.rule === "delivered" ? "unread" : "not in the inbox"}</strong>}
      </Text>
      <Stack gap={2} mt={4}>
        <Channel name="Inbox" channel={inbox} />
        <Channel name="Email" channel={email} />
        <Anchor component={Link} size="xs" href={`/mails?${mails}`}>
          Mails to this user
        </Anchor>
        <Text size="xs" c="dimmed">
          {preferences.length === 0
            ? "No preferences set. Default: all notifications."
            : preferences.map((preference) => (
                <Preference key={preference.documentId ?? ""} {...{ organizationId, preference }} />
              ))}
        </Text>
      </Stack>
    </WithAvatar>
  );
}

function Channel({ name, channel: { rule, explanation } }: { name: string; channel: Explained["inbox"] }) {
  return (
    <Text size="sm">
      {name}: <UntrustedText>{explanation}</UntrustedText>{" "}
      <Text span size="xs" c="dimmed">
        ({rule})
      </Text>
    </Text>
  );
}

interface PreferenceProps {
  organizationId: string;
  preference: Explained["preferences"][number];
}

function Preference({ organizationId, preference }: PreferenceProps) {
  const { documentId, ...channels } = preference;
  const values = Object.entries(channels).map(([channel, value]) => `${channel} ${value}`);
  const document = documentId !== undefined && <DocumentName place={{ organizationId, documentId }} />;
  return (
    <span>
      Set for {document ? <>document {document}</> : "the organization"}: {values.join(", ")}.{" "}
    </span>
  );
}
