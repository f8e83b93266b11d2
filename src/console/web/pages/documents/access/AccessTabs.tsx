import { Stack, Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useUrlParameters } from "../../../url.ts";
import { AccessPanel } from "./AccessPanel.tsx";
import type { Resource } from "./access.ts";

interface Tab {
  value: string;
  label: string;
  content: ReactNode;
}

interface AccessTabsProps {
  /** The tabs before "Access". */
  tabs: readonly Tab[];
  resource: Resource;
}

/** Tabs with what is in a folder or document, and who has access to it. The URL parameter `tab` selects one. */
export function AccessTabs({ tabs, resource }: AccessTabsProps) {
  const { get, change } = useUrlParameters();
  const access = <AccessPanel key={`${resource.type} ${resource.id}`} resource={resource} />;
  const all = [...tabs, { value: "access", label: "Access", content: access }];
  const first = all[0]?.value;
  const selected = all.find(({ value }) => value === get("tab"))?.value ?? first;
  /** Clears the record of the tab that was open. */
  function open(next: string | null): void {
    change({ record: undefined, tab: next === null || next === first ? undefined : next });
  }
  return (
    <Tabs value={selected ?? null} onChange={open} keepMounted={false}>
      <Tabs.List>
        {all.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {all.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value} pt="md">
          <Stack gap="md">{content}</Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
