import { Button, Code, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../api/call.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { PendingButton } from "../../components/PendingButton.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { CONSOLE_PATH } from "../../url.ts";

/** A form that requests a login link by mail, which leads to the URL. */
export function LinkRequest({ continueUrl }: { continueUrl: string | undefined }) {
  const [email, setEmail] = useState("");
  const { mutate, isSuccess, error, isPending, reset } = useMutation({
    mutationFn: () =>
      call({
        path: "/v2/workspace/email/send-login-link",
        data: { email: email.trim(), continueUrl: continueUrl ?? new URL(CONSOLE_PATH, location.href).href },
      }),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate();
  }
  if (isSuccess) {
    return (
      <>
        <Text role="status">
          If <UntrustedText>{email.trim()}</UntrustedText> owns a workspace here, a mail with a login link is on its
          way. The link is valid for 15 minutes.
        </Text>
        <TerminalHint />
        <Button variant="default" onClick={reset}>
          Use another email address
        </Button>
      </>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Email address of the workspace owner"
          type="email"
          required
          withAsterisk={false}
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Text size="sm">You receive a mail with a login link. There is no password.</Text>
        {error && <ErrorMessage error={error} />}
        <PendingButton type="submit" loading={isPending}>
          Send link
        </PendingButton>
        <TerminalHint />
      </Stack>
    </form>
  );
}

function TerminalHint() {
  return (
    <Text size="sm" c="dimmed">
      No mail server or owner yet? Run <Code>colloquy console</Code> on the machine of the service to print a login
      link.
    </Text>
  );
}
