import { Stack, Text } from "@mantine/core";
import { useApiQuery } from "../../api/use-api.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { TriggerNotificationNote } from "../../components/TriggerNotificationNote.tsx";
import { Endpoints } from "./Endpoints.tsx";

const UPDATE = "/v2/workspace/advancedwebhookconfig/update";

/** Shows whether advanced webhooks are on, and their endpoints. */
export default function WebhooksPage() {
  const apiQuery = useApiQuery("/v2/workspace/advancedwebhookconfig/get", {});
  const isOn = apiQuery.query.data?.data.isEnabled === true;
  return (
    <>
      <PageTitle title="Webhooks">Send signed HTTP requests to your backend when data changes.</PageTitle>
      <Stack>
        <Panel title="Status" apiQuery={apiQuery}>
          {({ isEnabled }) => <State isEnabled={isEnabled} />}
        </Panel>
        {isOn && <Endpoints />}
        {isOn && <TriggerNotificationNote />}
      </Stack>
    </>
  );
}

function State({ isEnabled }: { isEnabled: boolean }) {
  return (
    <ul className="rows">
      <li>
        <div>
          <Text size="sm">Webhooks: {isEnabled ? "on" : "off"}</Text>
          <Text size="xs" c="dimmed">
            {isEnabled ? "Events are sent to the endpoints below." : "No events are sent to endpoints."}
          </Text>
        </div>
        <ConfirmButton
          label={isEnabled ? "Turn off…" : "Turn on…"}
          target="webhooks"
          title={isEnabled ? "Turn off webhooks?" : "Turn on webhooks?"}
          action={isEnabled ? "Turn off" : "Turn on"}
          request={{ path: UPDATE, data: { isEnabled: !isEnabled } }}
        >
          <Text size="sm">
            {isEnabled
              ? "Endpoints receive nothing while webhooks are off. They and their secrets are kept."
              : "Changes from now on are sent to your endpoints."}
          </Text>
        </ConfirmButton>
      </li>
    </ul>
  );
}
