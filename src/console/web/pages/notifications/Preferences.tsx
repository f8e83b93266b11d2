import { Text } from "@mantine/core";
import { useApiQuery } from "../../api/use-api.ts";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

type Level = "ALL" | "MINE" | "NONE";

interface InForce {
  config: { inbox: Level; email: Level; slack?: Level };
}

const CHANNELS = [
  ["inbox", "List"],
  ["email", "Mail"],
  ["slack", "Slack"],
] as const;
const MEANINGS: Record<Level, string> = {
  ALL: "everything",
  MINE: "only what names them",
  NONE: "nothing",
};

interface PreferencesProps {
  organizationId: string;
  userId: string;
  documentId: string | undefined;
}

/** What a person wants to hear of, for the document or else in general. */
export function Preferences({ organizationId, userId, documentId }: PreferencesProps) {
  const scope = documentId === undefined ? { getOrganizationConfig: true } : { documentIds: [documentId] };
  const apiQuery = useApiQuery<InForce[]>("/v2/notifications/config/get", { organizationId, userId, ...scope });
  return (
    <Panel title={`What ${userId} hears of`} apiQuery={apiQuery}>
      {([inForce]) =>
        inForce && (
          <>
            <dl className="figures">
              {CHANNELS.map(([channel, label]) => {
                const level = inForce.config[channel];
                return (
                  <div key={channel}>
                    <dt>{label}</dt>
                    <dd className="small">{level ? MEANINGS[level] : "not set"}</dd>
                  </div>
                );
              })}
            </dl>
            <Text size="xs" c="dimmed" mt="xs">
              <UntrustedText>{documentId === undefined ? "In the organization" : `On ${documentId}`}</UntrustedText>, by{" "}
              <code>/v2/notifications/config/set</code>; everything, where nothing was set.
            </Text>
          </>
        )
      }
    </Panel>
  );
}
