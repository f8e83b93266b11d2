import { Button, Group, MultiSelect, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { fieldIssues } from "../../api/field-issues.ts";
import { useApiMutation } from "../../api/use-api.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { FormDialog } from "../../components/FormDialog.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { useInvalidFieldFocus } from "../../components/use-invalid-field-focus.ts";
import {
  type Endpoint,
  type EndpointForm,
  EVENT_NAMES,
  FIELD_PATHS,
  toChanges,
  toForm,
  toNewEndpoint,
} from "./endpoint-form.ts";

interface EditEndpointProps {
  /** The endpoint to change; undefined to create one. */
  endpoint?: Endpoint;
  onClose: () => void;
}

/** A dialog that creates or changes an endpoint. */
export function EditEndpoint({ endpoint, onClose }: EditEndpointProps) {
  return (
    <FormDialog title={endpoint ? "Edit endpoint" : "Create endpoint"} isOpen onClose={onClose}>
      <Form endpoint={endpoint} onClose={onClose} />
    </FormDialog>
  );
}

function Form({ endpoint, onClose }: { endpoint: Endpoint | undefined; onClose: () => void }) {
  const [form, setForm] = useState(() => toForm(endpoint));
  const create = useApiMutation("/v2/workspace/advancedwebhook/endpoints/create");
  const update = useApiMutation("/v2/workspace/advancedwebhook/endpoints/update");
  const { error, isPending, reset } = endpoint ? update : create;
  const { at, rest } = fieldIssues(error, FIELD_PATHS);
  const ref = useInvalidFieldFocus(error);
  function set(changes: Partial<EndpointForm>): void {
    setForm({ ...form, ...changes });
    reset();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (endpoint) update.mutate({ endpointId: endpoint.id, ...toChanges(form) }, { onSuccess: onClose });
    else create.mutate(toNewEndpoint(form), { onSuccess: onClose });
  }
  return (
    <form onSubmit={submit} ref={ref}>
      <Stack gap="sm">
        <TextInput
          label="URL"
          placeholder="https://example.com/webhooks"
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
          value={form.url}
          error={at("data.url")}
          onChange={(event) => set({ url: event.currentTarget.value })}
        />
        <TextInput
          label="Description"
          value={form.description}
          error={at("data.description")}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
        <MultiSelect
          label="Events"
          description="Leave it empty for all events."
          data={EVENT_NAMES}
          searchable
          nothingFoundMessage="No event has this name."
          value={form.events}
          error={at("data.filterTypes")}
          onChange={(events) => set({ events })}
        />
        <Textarea
          label="Channels"
          description="One organization or document ID per line. Leave it empty for all."
          rows={2}
          value={form.channels}
          error={at("data.channels")}
          onChange={(event) => set({ channels: event.currentTarget.value })}
        />
        <TextInput
          label="Rate limit"
          description="Maximum number of attempts per second. Leave it empty for no limit."
          type="number"
          value={form.rateLimit}
          error={at("data.rateLimit")}
          onChange={(event) => set({ rateLimit: event.currentTarget.value })}
        />
        <Switch
          label="Send events to this endpoint"
          checked={form.isEnabled}
          onChange={(event) => set({ isEnabled: event.currentTarget.checked })}
        />
        {rest && <ErrorMessage error={rest} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <PendingButton type="submit" loading={isPending}>
            {endpoint ? "Save" : "Create"}
          </PendingButton>
        </Group>
      </Stack>
    </form>
  );
}
