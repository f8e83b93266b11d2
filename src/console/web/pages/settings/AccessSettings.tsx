import { Radio, Stack, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useApiMutation, useApiQuery } from "../../api/use-api.ts";
import { ACCESS_TYPE_LABELS, ACCESS_TYPES, isAccessType } from "../../components/access-type.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Panel } from "../../components/Panel.tsx";
import {
  type AccessConfig,
  type AccessForm,
  DEFAULT_ACCESS_TYPES,
  getChanges,
  getEffects,
  SWITCH_NAMES,
  SWITCHES,
  toForm,
} from "./access-config.ts";
import { SaveLine } from "./SaveLine.tsx";
import { useStoredForm } from "./use-stored-form.ts";

/** The settings that decide what users may see, and how web pages call the API. */
export function AccessSettings() {
  const apiQuery = useApiQuery("/v2/workspace/apikeyconfig/get", {});
  return (
    <Panel title="Access" apiQuery={apiQuery}>
      {(config) => <Form config={config} />}
    </Panel>
  );
}

function Form({ config }: { config: AccessConfig }) {
  const [form, setForm] = useStoredForm(config, toForm);
  const [isOpen, { open, close }] = useDisclosure();
  const [status, setStatus] = useState("");
  const { mutate, isPending, error, reset } = useApiMutation("/v2/workspace/apikeyconfig/update");
  const changes = getChanges(form, config);
  const effects = getEffects(changes);
  function set(edits: Partial<AccessForm>): void {
    setForm({ ...form, ...edits });
    setStatus("");
    reset();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (effects.length > 0) open();
  }
  function confirm(): void {
    mutate(changes, {
      onSuccess: () => {
        close();
        setStatus("Saved.");
      },
    });
  }
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="md" maw="46rem">
          <Radio.Group
            label="Default access to documents"
            description="Applies to documents and folders that have no access type of their own and inherit none."
            value={form.defaultDocumentAccessType}
            onChange={(type) => isAccessType(type) && set({ defaultDocumentAccessType: type })}
          >
            <Stack gap="xs" mt="xs">
              {ACCESS_TYPES.map((type) => (
                <Radio
                  key={type}
                  value={type}
                  label={ACCESS_TYPE_LABELS[type]}
                  description={DEFAULT_ACCESS_TYPES[type].description}
                />
              ))}
            </Stack>
          </Radio.Group>
          {SWITCH_NAMES.map((name) => (
            <Switch
              key={name}
              label={SWITCHES[name].label}
              description={SWITCHES[name].description}
              checked={form[name]}
              onChange={(event) => set({ [name]: event.currentTarget.checked })}
            />
          ))}
          <SaveLine isChanged={effects.length > 0} isConfirmed status={status} />
        </Stack>
      </form>
      <ConfirmDialog
        title="Change access?"
        action="Save"
        isOpen={isOpen}
        isRunning={isPending}
        error={error}
        onConfirm={confirm}
        onClose={close}
      >
        <Text size="sm">This takes effect within a second:</Text>
        <ul className="text-list">
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}
