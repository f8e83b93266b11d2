import { Button, Checkbox, Group, NativeSelect, PasswordInput, Stack, Switch, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useApiMutation, useApiQuery } from "../../api/use-api.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Panel } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { type EmailConfig, type EmailForm, PROVIDERS, TRIGGERS, toForm, toUpdate } from "./email-config.ts";
import { TestEmail } from "./TestEmail.tsx";

/** How mails of this workspace are sent, and of what. */
export function EmailService() {
  const apiQuery = useApiQuery<EmailConfig>("/v2/workspace/emailconfig/get", {});
  return (
    <Stack>
      <Panel title="Email service" apiQuery={apiQuery}>
        {/* A form that was begun stays until what is kept has changed. */}
        {(config) => <Form key={JSON.stringify(config)} config={config} />}
      </Panel>
      <TestEmail />
    </Stack>
  );
}

function Form({ config }: { config: EmailConfig }) {
  const [form, setForm] = useState(() => toForm(config));
  const { mutate, isPending, isSuccess, error, reset } = useApiMutation<null, object>(
    "/v2/workspace/emailconfig/update",
  );
  function set(changes: Partial<EmailForm>): void {
    setForm({ ...form, ...changes });
    reset();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate(toUpdate(form));
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Switch
          label="Send mails for the events below"
          description="A person's own preference decides what reaches them."
          checked={form.isOn}
          onChange={(event) => set({ isOn: event.currentTarget.checked })}
        />
        <div className="filters">
          <TextInput
            label="Name of the sender"
            placeholder="The server's (MAIL_FROM)"
            value={form.fromCompany}
            onChange={(event) => set({ fromCompany: event.currentTarget.value })}
          />
          <TextInput
            label="Address of the sender"
            type="email"
            placeholder={form.type === "default" ? "The server's (MAIL_FROM)" : "notices@example.com"}
            value={form.fromEmail}
            onChange={(event) => set({ fromEmail: event.currentTarget.value })}
          />
          <NativeSelect
            label="Provider"
            data={PROVIDERS}
            value={form.type}
            onChange={(event) => set({ type: event.currentTarget.value })}
          />
        </div>
        {form.type !== "default" && <ProviderKey form={form} config={config} onChange={(apiKey) => set({ apiKey })} />}
        <Events triggers={form.triggers} onChange={(triggers) => set({ triggers })} />
        {error && <ErrorMessage error={error} />}
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            Save
          </Button>
          <Text size="sm" role="status">
            {isSuccess && "Saved."}
          </Text>
        </Group>
      </Stack>
    </form>
  );
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
        hasKey ? "One is kept, encrypted. Leave this empty to keep it." : "Kept encrypted and never shown here."
      }
      placeholder={hasKey ? "The one that is kept" : undefined}
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
  const meanings = new Map(Object.entries(TRIGGERS));
  return (
    <fieldset className="choices">
      <legend>Events</legend>
      {Object.entries(triggers).map(([name, isOn]) => (
        <Checkbox
          key={name}
          label={<UntrustedText>{meanings.get(name) ?? name}</UntrustedText>}
          description={meanings.has(name) ? name : "A name of your own; nothing is mailed for it"}
          checked={isOn}
          onChange={(event) => onChange({ ...triggers, [name]: event.currentTarget.checked })}
        />
      ))}
    </fieldset>
  );
}
