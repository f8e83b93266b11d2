import { Button, Center, Stack, Title } from "@mantine/core";
import { Redirect, Route, Router, Switch } from "wouter";
import { CONSOLE_PATH } from "./address.ts";
import { isRefused } from "./api/failure.ts";
import { useWorkspaces, type Workspace, WorkspaceContext } from "./api/workspace.ts";
import { ErrorMessage } from "./components/ErrorMessage.tsx";
import { Loading } from "./components/Panel.tsx";
import { Shell } from "./layout/Shell.tsx";
import { SignInPage } from "./pages/sign-in/SignInPage.tsx";

/** `/console/sign-in` is for everybody; everything else needs a session and names its workspace. */
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

/** Where the session is missing or over, sign-in leads back to this very address. */
function Console({ workspaceId }: { workspaceId: string | undefined }) {
  const { data: workspaces, error, refetch } = useWorkspaces();
  if (isRefused(error)) return <SignInPage continueUrl={location.href} />;
  if (workspaces) return <ConsoleOf workspaces={workspaces} workspaceId={workspaceId} />;
  return (
    <Center mih="60vh" p="md">
      {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Center>
  );
}

function ConsoleOf({ workspaces, workspaceId }: { workspaces: Workspace[]; workspaceId: string | undefined }) {
  const [first] = workspaces;
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  if (workspace) {
    return (
      <WorkspaceContext value={workspace}>
        <Router base={`/${encodeURIComponent(workspace.id)}`}>
          <Shell key={workspace.id} workspaces={workspaces} />
        </Router>
      </WorkspaceContext>
    );
  }
  if (!first) return <NoWorkspace message="This session reaches no workspace any more." />;
  if (workspaceId === undefined) return <Redirect to={`/${encodeURIComponent(first.id)}/overview`} replace />;
  return <NoWorkspace message="This address names a workspace that this session does not reach." />;
}

function NoWorkspace({ message }: { message: string }) {
  return (
    <Center mih="60vh" p="md" component="main">
      <Stack>
        <Title order={1} size="h4">
          {message}
        </Title>
        <Button component="a" href={CONSOLE_PATH} variant="default">
          Go to a workspace of yours
        </Button>
        <Button component="a" href={`${CONSOLE_PATH}/sign-in`} variant="default">
          Sign in with another address
        </Button>
      </Stack>
    </Center>
  );
}
