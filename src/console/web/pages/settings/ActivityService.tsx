import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ApiRequest, RequestData, ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

const UPDATE = "/v2/workspace/activityconfig/update";

/** The settings that allow backends to add and change activities. */
export function ActivityService() {
  const apiQuery = useApiQuery("/v2/workspace/activityconfig/get", {});
  return (
    <Panel title="Activities" apiQuery={apiQuery}>
      {({ activityServiceConfig: { isEnabled, immutable, enabledTime, triggers } }) => (
        <>
          <ul className="rows">
            <Setting
              name="Activity logging"
              state={isEnabled ? "on" : "off"}
              description={
                isEnabled && enabledTime !== undefined ? (
                  <>
                    Turned on <Time at={enabledTime} />.
                  </>
                ) : (
                  "New activities are rejected. Existing activities can be read."
                )
              }
            >
              <ConfirmButton
                label={isEnabled ? "Turn off…" : "Turn on…"}
                target="activity logging"
                title={isEnabled ? "Turn off activity logging?" : "Turn on activity logging?"}
                action={isEnabled ? "Turn off" : "Turn on"}
                request={update({ isEnabled: !isEnabled })}
              >
                <Text size="sm">
                  {isEnabled
                    ? "New activities are rejected, including those that comments create. Existing activities can " +
                      "still be read. You can turn activity logging on again at any time."
                    : "Your backends can add activities."}
                </Text>
              </ConfirmButton>
            </Setting>
            <Setting
              name="Editing"
              state={immutable ? "blocked" : "allowed"}
              description={
                immutable
                  ? "Activities are immutable: they can be added, but not changed or deleted."
                  : "Your backends can change and delete activities."
              }
            >
              <ConfirmButton
                label={immutable ? "Allow…" : "Make immutable…"}
                target="editing"
                title={immutable ? "Allow editing of activities?" : "Make activities immutable?"}
                action={immutable ? "Allow" : "Make immutable"}
                request={update({ immutable: !immutable })}
              >
                <Text size="sm">
                  {immutable
                    ? "Your backends can change and delete every activity, including those added in the meantime."
                    : "Changing or deleting an activity fails for every caller. Deleting a user's data still works. " +
                      "You can allow editing again at any time, so this protects against mistakes, not against intent."}
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

function update(changes: RequestData<typeof UPDATE>["activityServiceConfig"]): ApiRequest<typeof UPDATE> {
  return { path: UPDATE, data: { activityServiceConfig: changes } };
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

type Triggers = ResponseData<typeof UPDATE>["activityServiceConfig"]["triggers"];

function Triggers({ triggers }: { triggers: Triggers }) {
  const names = Object.entries(triggers).flatMap(([feature, value]): [string, boolean][] =>
    typeof value === "boolean"
      ? [[feature, value]]
      : Object.entries(value).map(([name, isOn]) => [`${feature}.${name}`, isOn]),
  );
  if (names.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" mt="sm">
      Custom triggers:{" "}
      <UntrustedText>{names.map(([name, isOn]) => `${name} ${isOn ? "on" : "off"}`).join(", ")}</UntrustedText>.
    </Text>
  );
}
