import { Code, Text } from "@mantine/core";
import { FactList } from "../../components/FactList.tsx";
import { Panel } from "../../components/Panel.tsx";
import { describeDays, useRetention } from "../../components/Retention.tsx";

/** The times after which the service deletes data. The operator sets them for all workspaces. */
export function RetentionSettings() {
  return (
    <Panel title="Retention" apiQuery={useRetention()}>
      {({ activityDays, notificationDays, mailDays, requestDays, auditDays, eventHours }) => (
        <>
          <FactList
            facts={[
              ["Activities", keptFor(activityDays)],
              ["Notifications", keptFor(notificationDays)],
              ["Log of mails", keptFor(mailDays)],
              ["Request log", keptFor(requestDays)],
              ["Audit log", keptFor(auditDays)],
              ["Event log", eventHours === 1 ? "1 hour" : `${eventHours} hours`],
            ]}
          />
          <Text size="sm" c="dimmed" mt="sm">
            Your operator sets these times for the whole service, by variables such as{" "}
            <Code>ACTIVITY_RETENTION_DAYS</Code>.
          </Text>
        </>
      )}
    </Panel>
  );
}

function keptFor(days: number | null): string {
  return days === null ? "Until deleted" : describeDays(days);
}
