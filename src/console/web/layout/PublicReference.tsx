import { AppShell, Button, Group, Stack, Text } from "@mantine/core";
import { Suspense } from "react";
import { Loading } from "../components/Panel.tsx";
import { pageAt } from "../pages.ts";
import { PageErrorBoundary } from "./PageErrorBoundary.tsx";
import { SHELL_LAYOUT } from "./Shell.tsx";

/** The API reference for visitors without a session. */
export function PublicReference({ onSignIn }: { onSignIn: () => void }) {
  const { navbar: _, ...layout } = SHELL_LAYOUT;
  const Reference = pageAt("/api")?.Component;
  return (
    <AppShell {...layout}>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between">
          <Text fw={700} component="span">
            Colloquy
          </Text>
          <Button size="xs" onClick={onSignIn}>
            Sign in
          </Button>
        </Group>
      </AppShell.Header>
      <AppShell.Main>
        <PageErrorBoundary>
          <Suspense fallback={<Loading />}>
            <Stack gap="md">{Reference && <Reference />}</Stack>
          </Suspense>
        </PageErrorBoundary>
      </AppShell.Main>
    </AppShell>
  );
}
