import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ResponseData } from "../../api/call.ts";
import { useApiMutation } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { Code } from "../../components/Code.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { getEndOfDay, toDateInput } from "../../components/expiry.ts";
import { PendingButton } from "../../components/PendingButton.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

const PATH = "/v2/workspace/authtokens/add";
type Scope = NewToken["scopes"][number];
type NewToken = ResponseData<typeof PATH>;

/** What each scope allows. */
const SCOPE_LABELS: Record<Scope, string> = {
  read: "Read data",
  write: "Write data",
  admin: "Administer: tokens, settings, deletion of users",
};
const SCOPES = Object.keys(SCOPE_LABELS).filter((name): name is Scope => name in SCOPE_LABELS);
/** Scopes that most backends need. */
const DEFAULT_SCOPES = SCOPES.filter((scope) => scope !== "admin");

interface CreateTokenProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Creates an auth token and shows it once. */
export function CreateToken({ isOpen, onClose }: CreateTokenProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Create auth token"
      closeButtonProps={{ "aria-label": "Close" }}
      // Prevents losing the token, which is shown only once, by accident.
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Dialog onClose={onClose} />
    </Modal>
  );
}

function Dialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewToken>();
  return created ? <Created token={created} onClose={onClose} /> : <Form onClose={onClose} onCreated={setCreated} />;
}

function Form({ onClose, onCreated }: { onClose: () => void; onCreated: (token: NewToken) => void }) {
  const [name, setName] = useState("");
  const [lastDay, setLastDay] = useState("");
  const [scopes, setScopes] = useState<Scope[]>(DEFAULT_SCOPES);
  const { mutate, isPending, error } = useApiMutation(PATH);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const expiresAt = getEndOfDay(lastDay);
    mutate(
      { name: name.trim(), scopes, ...(expiresAt !== undefined && { expiresAt }) },
      { onSuccess: ({ data }) => onCreated(data) },
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="The backend that will use it"
          placeholder="billing"
          required
          withAsterisk={false}
          maxLength={256}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Last valid day"
          description="Leave empty for a token that never expires"
          type="date"
          min={toDateInput(Date.now())}
          value={lastDay}
          onChange={(event) => setLastDay(event.currentTarget.value)}
        />
        <Checkbox.Group
          label="Allows"
          value={scopes}
          onChange={(chosen) => setScopes(SCOPES.filter((scope) => chosen.includes(scope)))}
        >
          <Stack gap={4} mt={4}>
            {SCOPES.map((scope) => (
              <Checkbox key={scope} size="xs" value={scope} label={SCOPE_LABELS[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        {error && <ErrorMessage error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <PendingButton type="submit" loading={isPending} disabled={scopes.length === 0}>
            Create
          </PendingButton>
        </Group>
      </Stack>
    </form>
  );
}

function Created({ token: { name, authToken }, onClose }: { token: NewToken; onClose: () => void }) {
  const { apiKey } = useWorkspace();
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        Copy the token of <UntrustedText>{name}</UntrustedText> now. Only its hash is stored, so it cannot be shown
        again.
      </Text>
      <Code label={`Auth token of ${name}`} text={authToken} />
      <Text size="sm" c="dimmed">
        Send it in the header x-service-auth-token, and the API key {apiKey} in x-service-api-key.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
