import { Checkbox, Stack, Switch, Text, TextInput } from "@mantine/core";
import { fieldIssues } from "../../api/field-issues.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { DurationInput } from "../../components/DurationInput.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Panel } from "../../components/Panel.tsx";
import { TriggerNotificationNote } from "../../components/TriggerNotificationNote.tsx";
import { useInvalidFieldFocus } from "../../components/use-invalid-field-focus.ts";
import {
  DELAY_PATH,
  FIELD_PATHS,
  type NotificationConfig,
  TRIGGER_LABELS,
  TRIGGER_NAMES,
  toForm,
  toUpdate,
  WINDOW_NAMES,
  WINDOWS,
  type WindowForm,
  type WindowName,
  windowPath,
} from "./notification-config.ts";
import { SaveLine } from "./SaveLine.tsx";
import { useSettingsForm } from "./use-settings-form.ts";

/** The settings that decide which comment events notify users, and when. */
export function NotificationSettings() {
  const apiQuery = useApiQuery("/v2/workspace/notificationconfig/get", {});
  return (
    <Panel title="Notifications of comments" apiQuery={apiQuery}>
      {(config) => <Form config={config} />}
    </Panel>
  );
}

function Form({ config }: { config: NotificationConfig }) {
  const { form, set, submit, error, saveLine } = useSettingsForm("/v2/workspace/notificationconfig/update", {
    settings: config,
    toForm,
    toUpdate,
  });
  const ref = useInvalidFieldFocus(error);
  const { at, rest } = fieldIssues(error, FIELD_PATHS);
  const { isOn, triggers, delay, windows } = form;
  return (
    <form onSubmit={submit} ref={ref}>
      <Stack gap="md" maw="46rem">
        <Switch
          label="Notify users of the events below"
          description="In inboxes and by mail, as each user's preferences allow. Mails need the email settings too."
          checked={isOn}
          onChange={(event) => set({ isOn: event.currentTarget.checked })}
        />
        <fieldset className="choices">
          <legend>Events</legend>
          {TRIGGER_NAMES.map((name) => (
            <Checkbox
              key={name}
              label={TRIGGER_LABELS[name]}
              checked={triggers[name]}
              onChange={(event) => set({ triggers: { ...triggers, [name]: event.currentTarget.checked } })}
            />
          ))}
        </fieldset>
        <TriggerNotificationNote />
        <Stack gap="xs">
          <Switch
            label="Delay"
            description="Delays each notification. Skips it if the user reads the thread in the meantime."
            checked={delay.isEnabled}
            onChange={(event) => set({ delay: { ...delay, isEnabled: event.currentTarget.checked } })}
          />
          {delay.isEnabled && (
            <div className="form-fields switched">
              <DurationInput
                label="Delay by"
                description="10 seconds to 180 days"
                value={delay.length}
                error={at(DELAY_PATH)}
                onChange={(length) => set({ delay: { ...delay, length } })}
              />
            </div>
          )}
        </Stack>
        {WINDOW_NAMES.map((name) => (
          <WindowFields
            key={name}
            name={name}
            form={windows[name]}
            at={at}
            onChange={(changed) => set({ windows: { ...windows, [name]: changed } })}
          />
        ))}
        <Text size="xs" c="dimmed">
          Changes apply to new events. Notifications that are already delayed are delivered on time.
        </Text>
        {rest && <ErrorMessage error={rest} />}
        <SaveLine {...saveLine} />
      </Stack>
    </form>
  );
}

interface WindowFieldsProps {
  name: WindowName;
  form: WindowForm;
  /** Returns what is wrong with the field at a path. */
  at: (path: string) => string | undefined;
  onChange: (form: WindowForm) => void;
}

function WindowFields({ name, form, at, onChange }: WindowFieldsProps) {
  const { label, description } = WINDOWS[name];
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Switch
        label={label}
        description={description}
        checked={form.isEnabled}
        onChange={(event) => onChange({ ...form, isEnabled: event.currentTarget.checked })}
      />
      {form.isEnabled && (
        <div className="form-fields switched">
          <DurationInput
            label="Collect for"
            description="10 seconds to 7 days"
            value={form.length}
            error={at(windowPath(name, "batchWindowSeconds"))}
            onChange={(length) => onChange({ ...form, length })}
          />
          <TextInput
            label="Maximum number of events"
            description="2 to 50"
            required
            withAsterisk={false}
            inputMode="numeric"
            autoComplete="off"
            value={form.maxActivities}
            error={at(windowPath(name, "maxActivities"))}
            onChange={(event) => onChange({ ...form, maxActivities: event.currentTarget.value })}
          />
        </div>
      )}
    </Stack>
  );
}
