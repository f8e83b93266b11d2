import { Anchor, Button, Center, Code, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { call, post } from "../../api/call.ts";
import { clearSignedOutHint, WORKSPACES_KEY } from "../../api/workspace.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Loading } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { CONSOLE_PATH } from "../../url.ts";
import { saveReturnPath, takeReturnPath } from "./return-path.ts";

/** Of the link in the address. Taken out of it at once, so that it is in no history, bookmark or screenshot. */
function takeToken(): string | undefined {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", location.pathname + location.search);
  return token || undefined;
}

/** Held here and not in a component: React may make one twice. Good for one sign-in. */
let linkToken = location.pathname === `${CONSOLE_PATH}/sign-in` ? takeToken() : undefined;

interface SignInPageProps {
  /** Where sign-in leads back to. */
  continueUrl: string | undefined;
  /** Whether somebody was signed in until now. */
  hasEnded: boolean;
}

/** Asks for the owner's address and sends a link, or signs in by the link that has led here. */
export function SignInPage({ continueUrl, hasEnded }: SignInPageProps) {
  const [token, setToken] = useState(linkToken);
  useEffect(() => {
    document.title = "Sign in · Colloquy";
    // A link that is opened while this page is shown changes the fragment only.
    const onHashChange = () => setToken((current) => takeToken() ?? current);
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  useEffect(() => {
    if (continueUrl !== undefined) saveReturnPath(location.pathname + location.search);
  }, [continueUrl]);
  function giveUp(): void {
    linkToken = undefined;
    setToken(undefined);
  }
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <Stack>
          <Title order={1} size="h3">
            Sign in to Colloquy
          </Title>
          {hasEnded && !token && (
            <Text size="sm" role="status">
              Your session has ended; sign in and you return to this page.
            </Text>
          )}
          {token ? <ByToken key={token} token={token} onGiveUp={giveUp} /> : <ByMail to={continueUrl} />}
        </Stack>
      </Paper>
    </Center>
  );
}

interface SignedIn {
  continueUrl: string | null;
  isContinueUrlTrusted: boolean;
}

/** The attempt is one of its token, however often this is shown: a link is good once. */
function ByToken({ token, onGiveUp }: { token: string; onGiveUp: () => void }) {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { data, error } = useQuery({
    queryKey: ["sign-in", token],
    queryFn: async (): Promise<SignedIn> => (await post("/console/session", { token })).json(),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  useEffect(() => {
    if (!data) return;
    linkToken = undefined;
    clearSignedOutHint();
    queryClient.removeQueries({ queryKey: WORKSPACES_KEY });
    if (data.continueUrl === null) navigate(takeReturnPath(CONSOLE_PATH) ?? "/", { replace: true });
    else if (data.isContinueUrlTrusted) location.replace(data.continueUrl);
  }, [data, queryClient, navigate]);
  if (error) {
    return (
      <>
        <ErrorMessage error={error} />
        <Button onClick={onGiveUp}>Ask for a new link</Button>
      </>
    );
  }
  if (!data || data.continueUrl === null || data.isContinueUrlTrusted) return <Loading lines={2} />;
  return (
    <>
      <Text size="sm">
        You are signed in. The link asks to go on to{" "}
        <strong>
          <UntrustedText>{data.continueUrl}</UntrustedText>
        </strong>
        , which is no address of this service.
      </Text>
      <Button onClick={() => navigate("/", { replace: true })}>Stay in the console</Button>
      <Anchor href={data.continueUrl} rel="noreferrer" size="sm">
        Go on to that address
      </Anchor>
    </>
  );
}

function ByMail({ to: continueUrl }: { to: string | undefined }) {
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
          If <UntrustedText>{email.trim()}</UntrustedText> owns a workspace here, a mail with a link is on its way. Open
          the link within 15 minutes.
        </Text>
        <WithoutMail />
        <Button variant="default" onClick={reset}>
          Use another address
        </Button>
      </>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="E-mail address of the workspace's owner"
          type="email"
          required
          withAsterisk={false}
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Text size="sm">You get a mail with a link that signs you in; there is no password.</Text>
        {error && <ErrorMessage error={error} />}
        <Button type="submit" loading={isPending}>
          Send the link
        </Button>
        <WithoutMail />
      </Stack>
    </form>
  );
}

function WithoutMail() {
  return (
    <Text size="sm" c="dimmed">
      No mail server, or no owner yet? On the machine that the service runs on, <Code>npx colloquy console</Code> prints
      a link that signs you in.
    </Text>
  );
}
