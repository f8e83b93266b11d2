import { Anchor, Code, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Setup } from "./overview.ts";

interface Step {
  title: string;
  isDone: boolean;
  how: ReactNode;
}

function settings(tab: string): ReactNode {
  return (
    <Anchor component={Link} href={`/settings?tab=${tab}`} size="sm" underline="always">
      Settings
    </Anchor>
  );
}

/** What is not set up yet, and how to do it; each of it may stay as it is. */
export function SetupList({ setup }: { setup: Setup }) {
  const steps = stepsOf(setup).filter(({ isDone }) => !isDone);
  if (steps.length === 0) return <Text size="sm">Everything is set up.</Text>;
  return (
    <ul className="rows">
      {steps.map(({ title, how }) => (
        <li key={title}>
          <Stack gap={2}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <Text size="sm" component="div">
              {how}
            </Text>
          </Stack>
        </li>
      ))}
    </ul>
  );
}

function stepsOf(setup: Setup): Step[] {
  return [
    {
      title: "No activity has been added",
      isDone: setup.hasActivities,
      how: "Your backend adds them; the command beside this list adds a first one.",
    },
    {
      title: "The activity service is off",
      isDone: setup.isActivityServiceEnabled,
      how: <>New activities are refused until it is on. Turn it on in {settings("activities")}.</>,
    },
    {
      title: "The workspace has no owner",
      isDone: setup.hasOwner,
      how: (
        <>
          Nobody can ask for a sign-in link by mail. Start the service with <Code>BOOTSTRAP_OWNER_EMAIL</Code>, or make
          further workspaces with <Code>npx colloquy workspace create --owner-email</Code>.
        </>
      ),
    },
    {
      title: "There is no mail server",
      isDone: setup.hasSmtp,
      how: (
        <>
          Mails are kept in the{" "}
          <Anchor component={Link} href="/outbox" size="sm" underline="always">
            Outbox
          </Anchor>
          . Start the service with <Code>SMTP_URL</Code> to send them.
        </>
      ),
    },
    {
      title: "No mails of notifications",
      isDone: setup.isEmailServiceEnabled,
      how: <>The email service of this workspace is off. Turn it on in {settings("email")}.</>,
    },
    {
      title: "The service does not know its own address",
      isDone: setup.publicUrl !== null,
      how: (
        <>
          Links in mails lead to this machine. Start the service with <Code>PUBLIC_URL</Code>.
        </>
      ),
    },
    {
      title: "No page may call the API from a browser",
      isDone: setup.hasAllowedDomains,
      how: <>If yours shall, allow its domain in {settings("domains")}; backends need nothing.</>,
    },
  ];
}
