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

/** The optional setup steps that are not done yet, each with instructions. */
export function SetupList({ setup }: { setup: Setup }) {
  const steps = stepsOf(setup).filter(({ isDone }) => !isDone);
  if (steps.length === 0) return <Text size="sm">Setup is complete.</Text>;
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
      title: "No activity yet",
      isDone: setup.hasActivities,
      how: "Your backend adds activities. Run the command under Recent activity to add the first one.",
    },
    {
      title: "Activity logging is off",
      isDone: setup.isActivityServiceEnabled,
      how: <>New activities are rejected. Turn it on in {settings("activities")}.</>,
    },
    {
      title: "The workspace has no owner",
      isDone: setup.hasOwner,
      how: (
        <>
          Nobody can request a login link by mail. Start the service with <Code>BOOTSTRAP_OWNER_EMAIL</Code>, or create
          a workspace with <Code>npm run colloquy -- workspace create --owner-email</Code>.
        </>
      ),
    },
    {
      title: "SMTP_URL is not set",
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
      title: "Mails are off",
      isDone: setup.isEmailServiceEnabled,
      how: <>Turn them on in {settings("email")}.</>,
    },
    {
      title: "PUBLIC_URL is not set",
      isDone: setup.publicUrl !== null,
      how: (
        <>
          Links in mails point to this machine. Start the service with <Code>PUBLIC_URL</Code>.
        </>
      ),
    },
    {
      title: "No allowed domains",
      isDone: setup.hasAllowedDomains,
      how: (
        <>
          To call the API from the browser, allow the domains of your pages in {settings("domains")}. Backends do not
          need this.
        </>
      ),
    },
  ];
}
