import { Button, Center, MantineThemeProvider, Stack, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect } from "react";
import { Redirect, Route, Router, Switch } from "wouter";
import { isPermissionDenied, isSessionExpired } from "./api/api-error.ts";
import { useLastingError } from "./api/recovery.ts";
import { useWorkspaces, type Workspace, WorkspaceContext } from "./api/workspace.ts";
import { ErrorMessage } from "./components/ErrorMessage.tsx";
import { LoadingShell } from "./layout/LoadingShell.tsx";
import { PublicReference } from "./layout/PublicReference.tsx";
import { Shell } from "./layout/Shell.tsx";
import { clearReturnPath } from "./pages/sign-in/return-path.ts";
import { SessionEnded } from "./pages/sign-in/SessionEnded.tsx";
import { SignInPage } from "./pages/sign-in/SignInPage.tsx";
import { useSignInElsewhere } from "./pages/sign-in/sign-in-elsewhere.ts";
import { PAGES } from "./pages.ts";
import { coveredTheme } from "./theme.ts";
import { CONSOLE_PATH } from "./url.ts";

/**
 * Routes the console: `/sign-in` and the reference at `/api` are public, every other path needs a session and starts
 * with the workspace ID.
 */
export function App() {
  return (
    <Router base={CONSOLE_PATH}>
      <Switch>
        <Route path="/sign-in">
          <SignInPage continueUrl={undefined} />
        </Route>
        <Route path="/:workspaceId?/*?">{({ workspaceId }) => <Console workspaceId={workspaceId} />}</Route>
      </Switch>
    </Router>
  );
}

/**
 * Shows the sign-in page if there is no session, or a dialog over the page if the session has expired; signing in, also
 * in another tab, returns to the current URL.
 */
function Console({ workspaceId }: { workspaceId: string | undefined }) {
  const query = useWorkspaces();
  const { data: workspaces, refetch } = query;
  const error = useLastingError(query);
  const [isSigningIn, { open: signIn }] = useDisclosure();
  useSignInElsewhere(refetch);
  const hasEnded = isSessionExpired(error);
  if (workspaces && (hasEnded || !isPermissionDenied(error))) {
    return (
      <>
        <MantineThemeProvider theme={hasEnded ? coveredTheme : {}}>
          <WorkspaceConsole workspaces={workspaces} workspaceId={workspaceId} />
        </MantineThemeProvider>
        {hasEnded && <SessionEnded />}
      </>
    );
  }
  if (isPermissionDenied(error)) {
    if (workspaceId === "api" && !isSigningIn) return <PublicReference onSignIn={signIn} />;
    return <SignInPage continueUrl={location.href} />;
  }
  return (
    <LoadingShell>{error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : undefined}</LoadingShell>
  );
}

function WorkspaceConsole({ workspaces, workspaceId }: { workspaces: Workspace[]; workspaceId: string | undefined }) {
  const [first] = workspaces;
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  useEffect(clearReturnPath, []);
  if (workspace) {
    return (
      <WorkspaceContext value={workspace}>
        <Router base={`/${encodeURIComponent(workspace.id)}`}>
          <Shell key={workspace.id} workspaces={workspaces} />
        </Router>
      </WorkspaceContext>
    );
  }
  if (!first) return <NoWorkspace message="You do not have access to any workspace." />;
  const page = PAGES.find(({ name }) => name === (workspaceId ?? "overview"));
  if (page) {
    const search = workspaceId === undefined ? "" : location.search;
    return <Redirect to={`/${encodeURIComponent(first.id)}/${page.name}${search}`} replace />;
  }
  return (
    <NoWorkspace message="This workspace does not exist, or you do not have access to it.">
      <Button component="a" href={CONSOLE_PATH} variant="default">
        Go to your workspace
      </Button>
    </NoWorkspace>
  );
}

function NoWorkspace({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <Center mih="60vh" p="md" component="main">
      <Stack>
        <Title order={1} size="h4">
          {message}
        </Title>
        {children}
        <Button component="a" href={`${CONSOLE_PATH}/sign-in`} variant="default">
          Sign in with another email address
        </Button>
      </Stack>
    </Center>
  );
}
