import { Tabs } from "@mantine/core";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useUrlParameters } from "../../url.ts";
import { AccessSettings } from "./AccessSettings.tsx";
import { ActivityService } from "./ActivityService.tsx";
import { AllowedDomains } from "./AllowedDomains.tsx";
import { AuditLog } from "./AuditLog.tsx";
import { AuthTokens } from "./AuthTokens.tsx";
import { EmailService } from "./EmailService.tsx";
import { NotificationSettings } from "./NotificationSettings.tsx";
import { RetentionSettings } from "./RetentionSettings.tsx";
import { Sessions } from "./Sessions.tsx";
import { UserTokens } from "./user-tokens/UserTokens.tsx";

const TABS = [
  { name: "activities", label: "Activities", Settings: ActivityService },
  { name: "notifications", label: "Notifications", Settings: NotificationSettings },
  { name: "email", label: "Email", Settings: EmailService },
  { name: "access", label: "Access", Settings: AccessSettings },
  { name: "domains", label: "Allowed domains", Settings: AllowedDomains },
  { name: "tokens", label: "Auth tokens", Settings: AuthTokens },
  { name: "user-tokens", label: "User tokens", Settings: UserTokens },
  { name: "sessions", label: "Sessions", Settings: Sessions },
  { name: "retention", label: "Retention", Settings: RetentionSettings },
  { name: "audit", label: "Audit log", Settings: AuditLog },
];

/** Parameters of a tab, which another tab does not have. */
const CLEARED = { action: undefined, from: undefined, to: undefined, record: undefined };

function showTab(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** Shows the settings of the workspace, by tab. */
export default function SettingsPage() {
  const { get, change } = useUrlParameters();
  const tab = TABS.find(({ name }) => name === get("tab")) ?? TABS[0];
  return (
    <>
      <PageTitle title="Settings" tab={tab?.label}>
        Workspace settings
      </PageTitle>
      <Tabs
        value={tab?.name ?? null}
        onChange={(name) => change({ tab: name ?? undefined, ...CLEARED })}
        keepMounted={false}
      >
        <Tabs.List className="tab-line">
          {TABS.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} ref={name === tab?.name ? showTab : undefined}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name, Settings }) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Settings />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
