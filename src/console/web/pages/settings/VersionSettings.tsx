import { Stack, Switch, TextInput, type TextInputProps } from "@mantine/core";
import { fieldIssues } from "../../api/field-issues.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Panel } from "../../components/Panel.tsx";
import { useInvalidFieldFocus } from "../../components/use-invalid-field-focus.ts";
import { SaveLine } from "./SaveLine.tsx";
import { useSettingsForm } from "./use-settings-form.ts";
import { DAYS_PATH, MINUTES_PATH, toForm, toUpdate, type VersionConfig } from "./version-config.ts";

const NUMBER: TextInputProps = { required: true, withAsterisk: false, inputMode: "numeric", autoComplete: "off" };

/** The settings that decide when collaborative documents get automatic versions, and how long these are kept. */
export function VersionSettings() {
  const apiQuery = useApiQuery("/v2/workspace/apikeyconfig/get", {});
  return (
    <Panel title="Versions of collaborative documents" apiQuery={apiQuery}>
      {(config) => <Form config={config} />}
    </Panel>
  );
}

function Form({ config }: { config: VersionConfig }) {
  const { form, set, submit, error, saveLine } = useSettingsForm("/v2/workspace/apikeyconfig/update", {
    settings: config,
    toForm,
    toUpdate,
  });
  const ref = useInvalidFieldFocus(error);
  const { at, rest } = fieldIssues(error, [MINUTES_PATH, DAYS_PATH]);
  return (
    <form onSubmit={submit} ref={ref}>
      <Stack gap="md" maw="46rem">
        <Switch
          label="Automatic versions"
          description="Stores a version before a document is edited, while it is edited, and when the editing ends."
          checked={form.isOn}
          onChange={(event) => set({ isOn: event.currentTarget.checked })}
        />
        <div className="form-fields">
          {form.isOn && (
            <TextInput
              {...NUMBER}
              label="Minutes of editing between versions"
              description="1 to 1,440"
              value={form.minutes}
              error={at(MINUTES_PATH)}
              onChange={(event) => set({ minutes: event.currentTarget.value })}
            />
          )}
          <TextInput
            {...NUMBER}
            label="Days for which versions are kept"
            description="1 to 3,650, for the last one of each day. Named versions are kept until deleted."
            value={form.days}
            error={at(DAYS_PATH)}
            onChange={(event) => set({ days: event.currentTarget.value })}
          />
        </div>
        {rest && <ErrorMessage error={rest} />}
        <SaveLine {...saveLine} />
      </Stack>
    </form>
  );
}
