import { AppShell, Burger, Group, NativeSelect, NavLink, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import { useWorkspace, type Workspace } from "../api/workspace.ts";
import { revealBidiControls } from "../components/bidi.ts";
import { PageTitle } from "../components/PageTitle.tsx";
import { Loading } from "../components/Panel.tsx";
import { UntrustedText } from "../components/UntrustedText.tsx";
import { PAGES } from "../pages.ts";
import { CONSOLE_PATH } from "../url.ts";
import { ColorSchemeSwitch } from "./ColorSchemeSwitch.tsx";
import { PageErrorBoundary } from "./PageErrorBoundary.tsx";
import { SignOutButton } from "./SignOutButton.tsx";

export const SHELL_LAYOUT = {
  header: { height: 52 },
  navbar: { width: 200, breakpoint: "sm" },
  padding: "md",
  transitionDuration: 0,
};

/** What is around every page of a workspace. */
export function Shell({ workspaces }: { workspaces: Workspace[] }) {
  const [isMenuOpen, { toggle, close }] = useDisclosure();
  return (
    <AppShell {...SHELL_LAYOUT} navbar={{ ...SHELL_LAYOUT.navbar, collapsed: { mobile: !isMenuOpen } }}>
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isMenuOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Menu"
            aria-expanded={isMenuOpen}
          />
          <Text fw={700} component="span" visibleFrom="xs">
            Colloquy
          </Text>
          <WorkspaceSwitcher workspaces={workspaces} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" className={isMenuOpen ? undefined : "menu-closed"}>
        <AppShell.Section grow>
          <Navigation onGo={close} />
        </AppShell.Section>
        <AppShell.Section>
          <Stack gap="xs">
            <ColorSchemeSwitch />
            <SignOutButton />
          </Stack>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Pages />
      </AppShell.Main>
    </AppShell>
  );
}

function Pages() {
  return (
    <Switch>
      {PAGES.map(({ name, Component }) => (
        <Route key={name} path={`/${name}`}>
          <PageErrorBoundary key={name}>
            <Suspense fallback={<Loading />}>
              <Stack gap="md">
                <Component />
              </Stack>
            </Suspense>
          </PageErrorBoundary>
        </Route>
      ))}
      <Route path="/">
        <Redirect to="/overview" replace />
      </Route>
      <Route>
        <PageTitle title="No such page">
          The console has no page of this address; the menu has those that it has.
        </PageTitle>
      </Route>
    </Switch>
  );
}

function Navigation({ onGo }: { onGo: () => void }) {
  const [path] = useLocation();
  return PAGES.map(({ name, title }) => {
    const isHere = path === `/${name}`;
    return (
      <NavLink
        key={name}
        component={Link}
        href={`/${name}`}
        label={title}
        active={isHere}
        aria-current={isHere ? "page" : undefined}
        onClick={onGo}
      />
    );
  });
}

/** A page keeps its name in another workspace, but not what was selected on it. */
function WorkspaceSwitcher({ workspaces }: { workspaces: Workspace[] }) {
  const { id, name } = useWorkspace();
  const [path, navigate] = useLocation();
  if (workspaces.length === 1) {
    return (
      <Text size="sm" truncate title="Workspace">
        <UntrustedText>{name}</UntrustedText>
      </Text>
    );
  }
  return (
    <NativeSelect
      size="xs"
      aria-label="Workspace"
      value={id}
      data={workspaces.map((workspace) => ({ value: workspace.id, label: revealBidiControls(workspace.name) }))}
      onChange={({ currentTarget: { value } }) => navigate(`~${CONSOLE_PATH}/${encodeURIComponent(value)}${path}`)}
    />
  );
}
