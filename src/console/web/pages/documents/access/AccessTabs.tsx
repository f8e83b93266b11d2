import { Stack, Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useUrlParameters } from "../../../url.ts";
import { AccessPanel } from "./AccessPanel.tsx";
import type { Resource } from "./access.ts";

const ACCESS = "access";

interface AccessTabsProps {
  /** Label of the first tab. */
  label: string;
  resource: Resource;
  /** Content of the first tab. */
  children: ReactNode;
}

/** Tabs with what is in a folder or document, and who has access to it. The URL parameter `tab` selects one. */
export function AccessTabs({ label, resource, children }: AccessTabsProps) {
  const { get, change } = useUrlParameters();
  const tab = get("tab") === ACCESS ? ACCESS : "content";
  return (
    <Tabs
      value={tab}
      onChange={(next) =>
        change({ tab: next === ACCESS ? ACCESS : undefined, page: undefined, annotations: undefined, users: undefined })
      }
      keepMounted={false}
    >
      <Tabs.List>
        <Tabs.Tab value="content">{label}</Tabs.Tab>
        <Tabs.Tab value={ACCESS}>Access</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="content" pt="md">
        <Stack gap="md">{children}</Stack>
      </Tabs.Panel>
      <Tabs.Panel value={ACCESS} pt="md">
        <AccessPanel key={`${resource.type} ${resource.id}`} resource={resource} />
      </Tabs.Panel>
    </Tabs>
  );
}
