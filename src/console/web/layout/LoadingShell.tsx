import { AppShell, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Loading } from "../components/Panel.tsx";
import { SHELL_LAYOUT } from "./Shell.tsx";

/** Placeholder of the console while the list of workspaces loads; `children` is the error if that fails. */
export function LoadingShell({ children }: { children?: ReactNode }) {
  return (
    <AppShell {...SHELL_LAYOUT} navbar={{ ...SHELL_LAYOUT.navbar, collapsed: { mobile: true } }}>
      <AppShell.Header>
        <Group h="100%" px="md">
          <Text fw={700} component="span">
            Colloquy
          </Text>
        </Group>
      </AppShell.Header>
      <AppShell.Main>
        <Stack maw="46rem">{children ?? <Loading lines={6} />}</Stack>
      </AppShell.Main>
    </AppShell>
  );
}
