import { Anchor, Button, Center, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { SignedIn } from "../../../signed-in.ts";
import { post } from "../../api/call.ts";
import { clearSignedOutHint, WORKSPACES_KEY } from "../../api/workspace.ts";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { Loading } from "../../components/Panel.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { CONSOLE_PATH } from "../../url.ts";
import { LinkRequest } from "./LinkRequest.tsx";
import { saveReturnPath, takeReturnPath } from "./return-path.ts";
import { announceSignIn } from "./sign-in-elsewhere.ts";

/** Returns the link token in the URL and removes it, to keep it out of history, bookmarks and screenshots. */
function takeToken(): string | undefined {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", location.pathname + location.search);
  return token || undefined;
}

/** The link token, kept outside of the component, which React may create twice. It is valid for one sign-in. */
let linkToken = location.pathname === `${CONSOLE_PATH}/sign-in` ? takeToken() : undefined;

interface SignInPageProps {
  /** URL to return to after signing in. */
  continueUrl: string | undefined;
}

/** Requests a login link by mail, or signs in with the link token in the URL. */
export function SignInPage({ continueUrl }: SignInPageProps) {
  const [token, setToken] = useState(linkToken);
  useEffect(() => {
    document.title = "Sign in · Colloquy";
    // Opening a link while this page is shown changes only the URL's fragment.
    const onHashChange = () => setToken((current) => takeToken() ?? current);
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  useEffect(() => {
    if (continueUrl !== undefined) saveReturnPath(location.pathname + location.search);
  }, [continueUrl]);
  function discardToken(): void {
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
          {token ? (
            <TokenSignIn key={token} token={token} onDiscard={discardToken} />
          ) : (
            <LinkRequest continueUrl={continueUrl} />
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

/** Signs in with a token. The query is keyed by the token, so that a re-render does not use the link twice. */
function TokenSignIn({ token, onDiscard }: { token: string; onDiscard: () => void }) {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { data, error } = useQuery({
    queryKey: ["sign-in", token],
    queryFn: async (): Promise<SignedIn> => (await post("/console/session", { token })).json(),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: false,
  });
  useEffect(() => {
    if (!data) return;
    linkToken = undefined;
    clearSignedOutHint();
    announceSignIn();
    queryClient.removeQueries({ queryKey: WORKSPACES_KEY });
    if (data.continueUrl === null) navigate(takeReturnPath(CONSOLE_PATH) ?? "/", { replace: true });
    else if (data.isContinueUrlTrusted) location.replace(data.continueUrl);
  }, [data, queryClient, navigate]);
  if (error) {
    return (
      <>
        <ErrorMessage error={error} />
        <Button onClick={onDiscard}>Request a new link</Button>
      </>
    );
  }
  if (!data || data.continueUrl === null || data.isContinueUrlTrusted) return <Loading lines={2} />;
  return (
    <>
      <Text size="sm">
        You are signed in. The link continues to{" "}
        <strong>
          <UntrustedText>{data.continueUrl}</UntrustedText>
        </strong>
        , which is not part of this service.
      </Text>
      <Button onClick={() => navigate("/", { replace: true })}>Stay in the console</Button>
      <Anchor href={data.continueUrl} rel="noreferrer" size="sm">
        Continue to this site
      </Anchor>
    </>
  );
}
