import { Anchor, Code, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { TOKEN_PLACEHOLDER } from "../../api/curl.ts";
import { useWorkspace } from "../../api/workspace.ts";
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
  const steps = getSteps(setup, useWorkspace().apiKey);
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
            <Stack gap={2} miw={0}>
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

/** Returns the variables with which a start gives the workspace of the API key an owner. */
function ownerVariables(apiKey: string): string {
  const variables = { API_KEY: apiKey, AUTH_TOKEN: TOKEN_PLACEHOLDER, OWNER_EMAIL: "ada@example.com" };
  return Object.entries(variables)
    .map(([name, value]) => `BOOTSTRAP_${name}=${value}`)
    .join("\n");
}

function getSteps(setup: Setup, apiKey: string): Step[] {
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
          Nobody can request a login link by mail. Start the service with all of these variables, the second with an
          auth token of the workspace or a new one:
          <Code block mt={4}>
            {ownerVariables(apiKey)}
          </Code>
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
          . To send those that come, start the service with <Code>SMTP_URL</Code>, or name a provider in{" "}
          {settings("email")}.
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
