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

/** The steps of setting up in order, each with instructions until it is done. */
export function SetupList({ setup }: { setup: Setup }) {
  const steps = getSteps(setup);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return <Text size="sm">Setup is complete.</Text>;
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {done} of {steps.length} steps done
      </Text>
      <ol className="rows checklist">
        {steps.map(({ title, isDone, how }) => (
          <li key={title} data-done={isDone}>
            <Stack gap={2}>
              <Text size="sm" fw={isDone ? undefined : 600} c={isDone ? "dimmed" : undefined}>
                {title}
                {isDone && <span className="visually-hidden"> (done)</span>}
              </Text>
              {!isDone && (
                <Text size="sm" component="div">
                  {how}
                </Text>
              )}
            </Stack>
          </li>
        ))}
      </ol>
    </>
  );
}

function getSteps(setup: Setup): Step[] {
  return [
    {
      title: "Turn on activity logging",
      isDone: setup.isActivityServiceEnabled,
      how: <>New activities are rejected. Turn it on in {settings("activities")}.</>,
    },
    {
      title: "Add the first activity",
      isDone: setup.hasActivities,
      how: "Your backend adds activities. Run the command under Recent activity to add the first one.",
    },
    {
      title: "Give the workspace an owner",
      isDone: setup.hasOwner,
      how: (
        <>
          Nobody can request a login link by mail. Start the service with <Code>BOOTSTRAP_OWNER_EMAIL</Code>, or create
          a workspace with <Code>npm run colloquy -- workspace create --owner-email</Code>.
        </>
      ),
    },
    {
      title: "Connect a mail server",
      isDone: setup.hasSmtp,
      how: (
        <>
          Mails are kept in the{" "}
          <Anchor component={Link} href="/outbox" size="sm" underline="always">
            Outbox
          </Anchor>
          . Start the service with <Code>SMTP_URL</Code> to send those that come.
        </>
      ),
    },
    {
      title: "Turn on mails",
      isDone: setup.isEmailServiceEnabled,
      how: <>Turn them on in {settings("email")}.</>,
    },
    {
      title: "Set the public URL",
      isDone: setup.publicUrl !== null,
      how: (
        <>
          Links in mails point to this machine. Start the service with <Code>PUBLIC_URL</Code>.
        </>
      ),
    },
    {
      title: "Allow domains",
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
