import { NavLink, Text } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Link, useLocation } from "wouter";
import { Icon, type IconName } from "../components/Icon.tsx";
import { PAGES } from "../pages.ts";

export interface Entry {
  href: string;
  label: string;
  icon: IconName;
}

/** Groups of the navigation in order. A group without a title stands for itself. */
const GROUPS: { title?: string; entries: Entry[] }[] = [
  { entries: [toPage("overview")] },
  {
    title: "Data",
    entries: [
      ...[toPage("activities"), toPage("organizations"), toPage("people"), toPage("documents")],
      ...[toPage("notifications"), toPage("recordings"), toPage("presence"), toPage("deletions")],
    ],
  },
  {
    title: "Developers",
    entries: (["api", "webhooks", "requests", "mails", "outbox"] as const).map(toPage),
  },
  { entries: [toPage("settings")] },
];

export const NAVIGATION_ENTRIES: Entry[] = GROUPS.flatMap(({ entries }) => entries);

function toPage(name: IconName): Entry {
  return { href: `/${name}`, label: PAGES.find((page) => page.name === name)?.title ?? name, icon: name };
}

/** Links to every page, in groups. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const [path] = useLocation();
  return GROUPS.map(({ title, entries }) => (
    <NavigationGroup key={entries[0]?.href} title={title}>
      {entries.map((entry) => (
        <NavLink
          key={entry.href}
          component={Link}
          href={entry.href}
          label={entry.label}
          leftSection={<Icon name={entry.icon} />}
          active={entry.href === path}
          aria-current={entry.href === path ? "page" : undefined}
          onClick={onNavigate}
        />
      ))}
    </NavigationGroup>
  ));
}

function NavigationGroup({ title, children }: { title: string | undefined; children: ReactNode }) {
  const id = useId();
  if (title === undefined) return <div className="navigation-group">{children}</div>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: A fieldset is for forms.
    <div role="group" aria-labelledby={id} className="navigation-group">
      <Text id={id} size="xs" c="dimmed" fw={600} className="navigation-title">
        {title}
      </Text>
      {children}
    </div>
  );
}
