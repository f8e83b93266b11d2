import { AppShell, Burger, Group, MantineThemeProvider, NativeSelect, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type KeyboardEvent, Suspense, useRef } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { useWorkspace, type Workspace } from "../api/workspace.ts";
import { revealBidiControls } from "../components/bidi.ts";
import { PageTitle } from "../components/PageTitle.tsx";
import { Loading } from "../components/Panel.tsx";
import { UntrustedText } from "../components/UntrustedText.tsx";
import { PAGES } from "../pages.ts";
import { coveredTheme } from "../theme.ts";
import { CONSOLE_PATH } from "../url.ts";
import { ColorSchemeSwitch } from "./ColorSchemeSwitch.tsx";
import { Navigation } from "./Navigation.tsx";
import { PageErrorBoundary } from "./PageErrorBoundary.tsx";
import { moveInRows, openClickedRow } from "./rows.ts";
import { SearchButton } from "./SearchButton.tsx";
import { SignOutButton } from "./SignOutButton.tsx";

export const SHELL_LAYOUT = {
  header: { height: 52 },
  navbar: { width: 212, breakpoint: "sm" },
  padding: "md",
  transitionDuration: 0,
};

/** The header and navigation around every page of a workspace. */
export function Shell({ workspaces }: { workspaces: Workspace[] }) {
  const [isMenuOpen, { toggle, close }] = useDisclosure();
  const menuButton = useRef<HTMLButtonElement>(null);
  const [isPaletteOpen, palette] = useDisclosure();
  function onKeyDown({ key }: KeyboardEvent): void {
    if (key !== "Escape" || !isMenuOpen) return;
    close();
    menuButton.current?.focus();
  }
  return (
    <AppShell
      {...SHELL_LAYOUT}
      navbar={{ ...SHELL_LAYOUT.navbar, collapsed: { mobile: !isMenuOpen } }}
      onKeyDown={onKeyDown}
    >
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            ref={menuButton}
            opened={isMenuOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Menu"
            aria-expanded={isMenuOpen}
          />
          <Text fw={700} component="span">
            Colloquy
          </Text>
          <WorkspaceSwitcher workspaces={workspaces} />
          <SearchButton isOpen={isPaletteOpen} palette={palette} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" className={isMenuOpen ? undefined : "menu-closed"}>
        <AppShell.Section grow className="navigation">
          <Navigation onNavigate={close} />
        </AppShell.Section>
        <AppShell.Section>
          <Stack gap="xs">
            <ColorSchemeSwitch />
            <SignOutButton />
          </Stack>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} onClick={openClickedRow} onKeyDown={moveInRows}>
        <MantineThemeProvider theme={isPaletteOpen ? coveredTheme : {}}>
          <Pages />
        </MantineThemeProvider>
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
        <PageTitle title="Page not found">Choose a page from the menu.</PageTitle>
      </Route>
    </Switch>
  );
}

/** Switches to the same page of another workspace, without its filters. */
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
