import { Tabs } from "@mantine/core";
import type { ComponentType } from "react";
import { PageTitle } from "../../components/PageTitle.tsx";
import { SETTINGS_TABS } from "../../settings-tabs.ts";
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
import { TokenIssuer } from "./user-tokens/TokenIssuer.tsx";
import { UserTokens } from "./user-tokens/UserTokens.tsx";
import { VersionSettings } from "./VersionSettings.tsx";

const CONTENTS: Record<keyof typeof SETTINGS_TABS, ComponentType> = {
  activities: ActivityService,
  notifications: NotificationSettings,
  email: EmailService,
  access: AccessSettings,
  versions: VersionSettings,
  domains: AllowedDomains,
  tokens: AuthTokens,
  "user-tokens": UserTokens,
  "token-issuer": TokenIssuer,
  sessions: Sessions,
  retention: RetentionSettings,
  audit: AuditLog,
};
const TABS = Object.entries(SETTINGS_TABS).map(([name, label]) => ({ name, label }));

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
        {Object.entries(CONTENTS).map(([name, Contents]) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Contents />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
