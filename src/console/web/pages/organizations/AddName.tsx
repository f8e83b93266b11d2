import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useApiMutation } from "../../api/use-api.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { itemFailure } from "../../components/item-failure.ts";

/** States that an organization has no name and offers to add one. */
export function AddName({ organizationId }: { organizationId: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  if (isOpen) return <NameForm organizationId={organizationId} onClose={close} />;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        No name yet.
      </Text>
      <Button size="compact-xs" variant="default" onClick={open}>
        Add a name
      </Button>
    </Group>
  );
}

function NameForm({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const [name, setName] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const { mutate, data, error, isPending } = useApiMutation("/v2/organizations/update");
  const failed = data && itemFailure(data.data[organizationId]);
  const failure = error ?? (failed === undefined ? undefined : new Error(failed));
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate({ organizations: [{ organizationId, organizationName: name.trim() }] });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" mt="xs">
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Name"
            required
            withAsterisk={false}
            className="grow"
            autoComplete="off"
            ref={input}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={isPending} disabled={name.trim() === ""}>
            Save
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
        {failure && <ErrorMessage error={failure} />}
      </Stack>
    </form>
  );
}
