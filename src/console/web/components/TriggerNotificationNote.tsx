import { Text } from "@mantine/core";

/** Says what a comment of a backend needs to reach inboxes and webhooks. */
export function TriggerNotificationNote() {
  return (
    <Text size="sm" c="dimmed" component="p" m={0}>
      A comment that your backend adds reaches inboxes and webhooks only with <code>triggerNotification: true</code>.
      Mails do not need it.
    </Text>
  );
}
