import { Text } from "@mantine/core";
import type { Item } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUserName } from "../../components/user-name.ts";

type Preference = Item<"/v2/notifications/config/get">["config"]["inbox"];

export const CHANNELS = [
  ["inbox", "Inbox"],
  ["email", "Email"],
  ["slack", "Slack"],
] as const;
export const PREFERENCE_LABELS: Record<Preference, string> = {
  ALL: "All notifications",
  MINE: "Only notifications to this user",
  NONE: "None",
};

interface PreferencesProps {
  organizationId: string;
  userId: string;
  documentId: string | undefined;
}

/** A user's effective notification preferences for a document, or for the whole organization. */
export function Preferences({ organizationId, userId, documentId }: PreferencesProps) {
  const scope = documentId === undefined ? { getOrganizationConfig: true } : { documentIds: [documentId] };
  const apiQuery = useApiQuery("/v2/notifications/config/get", {
    organizationId,
    userId,
    ...scope,
  });
  return (
    <Panel title={`${useUserName(organizationId, userId)}'s preferences`} apiQuery={apiQuery}>
      {([effective]) =>
        effective && (
          <>
            <dl className="statistics">
              {CHANNELS.map(([channel, label]) => {
                const level = effective.config[channel];
                return (
                  <div key={channel}>
                    <dt>{label}</dt>
                    <dd className="small">{level ? PREFERENCE_LABELS[level] : "Not set"}</dd>
                  </div>
                );
              })}
            </dl>
            <Text size="xs" c="dimmed" mt="xs">
              <UntrustedText>
                {documentId === undefined ? "For the whole organization." : `For document ${documentId}.`}
              </UntrustedText>{" "}
              Your backend sets them with <code>/v2/notifications/config/set</code>. The default is all notifications.
            </Text>
          </>
        )
      }
    </Panel>
  );
}
