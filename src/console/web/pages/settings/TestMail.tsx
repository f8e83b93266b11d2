import { Alert, Anchor, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useId, useState } from "react";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiMutation } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { CopyAsCurl } from "../../components/CopyAsCurl.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";

const PATH = "/v2/workspace/email/send-test-mail";

/** Sends a test mail with the saved settings and shows the result. */
export function TestMail() {
  const { ownerEmail } = useWorkspace();
  const [email, setEmail] = useState(ownerEmail ?? "");
  const { mutate, data, variables, isPending, error, reset } = useApiMutation(PATH);
  const id = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate({ email: email.trim() });
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h5" id={id}>
          Test mail
        </Title>
        <CopyAsCurl request={{ path: PATH, data: { email } }} />
      </Group>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">Sent with the saved settings.</Text>
          <Group align="flex-end" gap="xs">
            <TextInput
              label="To"
              type="email"
              required
              withAsterisk={false}
              className="grow"
              value={email}
              onChange={(event) => {
                setEmail(event.currentTarget.value);
                reset();
              }}
            />
            <PendingButton type="submit" variant="default" loading={isPending}>
              Send test mail
            </PendingButton>
          </Group>
          {error && <ErrorMessage error={error} />}
          {data && variables && <TestMailResult {...data.data} to={variables.email} />}
        </Stack>
      </form>
    </Paper>
  );
}

function TestMailResult({ success, message, route, to }: ResponseData<typeof PATH> & { to: string }) {
  const isKept = route === "outbox";
  if (!success) return <ErrorMessage error={new Error(message)} />;
  return (
    <Alert
      variant="outline"
      color="gray"
      role="status"
      title={
        <>
          {isKept ? "Kept in the outbox" : "Sent"}: mail to <UntrustedText>{to}</UntrustedText>
        </>
      }
    >
      <Text size="sm">
        <UntrustedText>{message}</UntrustedText>
      </Text>
      {isKept && (
        <Anchor component={Link} href="/outbox" size="sm" underline="always">
          Open outbox
        </Anchor>
      )}
    </Alert>
  );
}
