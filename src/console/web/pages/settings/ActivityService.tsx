import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useApiQuery } from "../../api/use-api.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

interface ActivityConfig {
  activityServiceConfig: {
    isEnabled: boolean;
    immutable: boolean;
    enabledTime: number | null;
    triggers: Record<string, boolean>;
  };
}

/** Whether activities can be added, and changed afterwards. */
export function ActivityService() {
  const apiQuery = useApiQuery<ActivityConfig>("/v2/workspace/activityconfig/get", {});
  return (
    <Panel title="Activity service" apiQuery={apiQuery}>
      {({ activityServiceConfig: { isEnabled, immutable, enabledTime, triggers } }) => (
        <>
          <ul className="rows">
            <Setting
              name="Adding activities"
              state={isEnabled ? "On" : "Off"}
              description={
                isEnabled && enabledTime !== null ? (
                  <>
                    Turned on <Time at={enabledTime} />.
                  </>
                ) : (
                  "New activities are refused; those that are there can be read."
                )
              }
            >
              <ConfirmButton
                label={isEnabled ? "Turn off…" : "Turn on…"}
                what="adding activities"
                title={isEnabled ? "Refuse new activities?" : "Let activities be added?"}
                action={isEnabled ? "Turn off" : "Turn on"}
                request={update({ isEnabled: !isEnabled })}
              >
                <Text size="sm">
                  {isEnabled
                    ? "Adding activities is refused, those that comments make included. " +
                      "What is there stays and can be read. It can be turned on again at any time."
                    : "Activities are taken from all of your backends."}
                </Text>
              </ConfirmButton>
            </Setting>
            <Setting
              name="Changing activities"
              state={immutable ? "Immutable" : "Allowed"}
              description={
                immutable
                  ? "Activities can only be added; changing and deleting one fails."
                  : "Activities can be changed and deleted by your backends."
              }
            >
              <ConfirmButton
                label={immutable ? "Allow…" : "Make immutable…"}
                what="changing activities"
                title={immutable ? "Let activities be changed?" : "Make activities immutable?"}
                action={immutable ? "Allow" : "Make immutable"}
                request={update({ immutable: !immutable })}
              >
                <Text size="sm">
                  {immutable
                    ? "Every activity can be changed and deleted again, those that were added meanwhile included."
                    : "Changing and deleting activities fails for every caller. Deleting a person's data still " +
                      "works, and this can be taken back: it keeps from mistakes, not from intent."}
                </Text>
              </ConfirmButton>
            </Setting>
          </ul>
          <Triggers triggers={triggers} />
        </>
      )}
    </Panel>
  );
}

function update(changes: object) {
  return { path: "/v2/workspace/activityconfig/update", data: { activityServiceConfig: changes } };
}

interface SettingProps {
  name: string;
  state: string;
  description: ReactNode;
  children: ReactNode;
}

function Setting({ name, state, description, children }: SettingProps) {
  return (
    <li>
      <div>
        <Text size="sm">
          {name}: <strong>{state}</strong>
        </Text>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      </div>
      {children}
    </li>
  );
}

function Triggers({ triggers }: { triggers: Record<string, boolean> }) {
  const names = Object.entries(triggers);
  if (names.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" mt="sm">
      Triggers, kept for your own use:{" "}
      <UntrustedText>{names.map(([name, isOn]) => `${name} ${isOn ? "on" : "off"}`).join(", ")}</UntrustedText>.
    </Text>
  );
}
