import { Checkbox, NativeSelect, PasswordInput, Stack, Switch, TextInput } from "@mantine/core";
import { useApiQuery } from "../../api/use-api.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { type EmailConfig, type EmailForm, PROVIDERS, TRIGGER_LABELS, toForm, toUpdate } from "./email-config.ts";
import { SaveLine } from "./SaveLine.tsx";
import { TestMail } from "./TestMail.tsx";
import { useSettingsForm } from "./use-settings-form.ts";

/** The settings for the mails of this workspace: sender, provider and events. */
export function EmailService() {
  const apiQuery = useApiQuery("/v2/workspace/emailconfig/get", {});
  return (
    <Stack>
      <Panel title="Mails" apiQuery={apiQuery}>
        {(config) => <Form config={config} />}
      </Panel>
      <TestMail />
    </Stack>
  );
}

function Form({ config }: { config: EmailConfig }) {
  const { form, set, submit, error, saveLine } = useSettingsForm("/v2/workspace/emailconfig/update", {
    settings: config,
    toForm,
    toUpdate,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Switch
          label="Send mails for the events below"
          description="Each user's preferences decide which mails they receive."
          checked={form.isOn}
          onChange={(event) => set({ isOn: event.currentTarget.checked })}
        />
        <div className="filters">
          <TextInput
            label="Sender name"
            placeholder="Default: that of MAIL_FROM"
            value={form.fromCompany}
            onChange={(event) => set({ fromCompany: event.currentTarget.value })}
          />
          <TextInput
            label="Sender address"
            type="email"
            placeholder={form.type === "default" ? "Default: that of MAIL_FROM" : "notices@example.com"}
            value={form.fromEmail}
            onChange={(event) => set({ fromEmail: event.currentTarget.value })}
          />
          <NativeSelect
            label="Provider"
            data={PROVIDERS}
            value={form.type}
            onChange={(event) => set({ type: getProvider(event.currentTarget.value) })}
          />
        </div>
        {form.type !== "default" && <ProviderKey form={form} config={config} onChange={(apiKey) => set({ apiKey })} />}
        <Events triggers={form.triggers} onChange={(triggers) => set({ triggers })} />
        {error && <ErrorMessage error={error} />}
        <SaveLine {...saveLine} />
      </Stack>
    </form>
  );
}

function getProvider(value: string): EmailForm["type"] {
  return PROVIDERS.find((provider) => provider.value === value)?.value ?? "default";
}

interface ProviderKeyProps {
  form: EmailForm;
  config: EmailConfig;
  onChange: (apiKey: string) => void;
}

function ProviderKey({ form, config: { emailServiceConfig }, onChange }: ProviderKeyProps) {
  const hasKey = emailServiceConfig.apiKey !== "" && emailServiceConfig.type === form.type;
  return (
    <PasswordInput
      label={PROVIDERS.find(({ value }) => value === form.type)?.key}
      description={
        hasKey
          ? "A value is stored, encrypted. Leave empty to keep it."
          : "Stored encrypted. The API returns it to auth tokens that may administer, but the console does not show it."
      }
      placeholder={hasKey ? "Stored value" : undefined}
      autoComplete="off"
      value={form.apiKey}
      onChange={(event) => onChange(event.currentTarget.value)}
      maw="36rem"
    />
  );
}

interface EventsProps {
  triggers: Record<string, boolean>;
  onChange: (triggers: Record<string, boolean>) => void;
}

function Events({ triggers, onChange }: EventsProps) {
  const labels = new Map(Object.entries(TRIGGER_LABELS));
  return (
    <fieldset className="choices">
      <legend>Events</legend>
      {Object.entries(triggers).map(([name, isOn]) => (
        <Checkbox
          key={name}
          label={<UntrustedText>{labels.get(name) ?? name}</UntrustedText>}
          description={labels.has(name) ? undefined : "Custom trigger; no mail is sent for it"}
          checked={isOn}
          onChange={(event) => onChange({ ...triggers, [name]: event.currentTarget.checked })}
        />
      ))}
    </fieldset>
  );
}
