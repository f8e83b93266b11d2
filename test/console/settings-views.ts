import type { View } from "./view.ts";

/** The tabs of the settings, on the data that `fillWorkspace` stores. */
export const SETTINGS_VIEWS: View[] = [
  {
    path: "/settings",
    heading: "Settings: Activities",
    shows: ["Activity logging: on"],
    requests: ["/v2/workspace/activityconfig/get"],
  },
  {
    path: "/settings?tab=notifications",
    heading: "Settings: Notifications",
    shows: ["Notify users of the events below", "triggerNotification: true", "Digests by document"],
    requests: ["/v2/workspace/notificationconfig/get"],
  },
  {
    path: "/settings?tab=email",
    heading: "Settings: Email",
    shows: ["Send test mail"],
    requests: ["/v2/workspace/emailconfig/get"],
  },
  {
    path: "/settings?tab=access",
    heading: "Settings: Access",
    shows: ["Default access to documents", "Pages must use user tokens"],
    requests: ["/v2/workspace/apikeyconfig/get"],
  },
  {
    path: "/settings?tab=versions",
    heading: "Settings: Versions",
    shows: ["Automatic versions", "Minutes of editing between versions"],
    requests: ["/v2/workspace/apikeyconfig/get"],
  },
  {
    path: "/settings?tab=domains",
    heading: "Settings: Allowed domains",
    shows: ["app.example.com"],
    requests: ["/v2/workspace/domains/get"],
  },
  {
    path: "/settings?tab=tokens",
    heading: "Settings: Auth tokens",
    shows: ["first", /last used (just now|\d+ minutes? ago)/],
    requests: ["/v2/workspace/authtokens/get"],
  },
  {
    path: "/settings?tab=user-tokens",
    heading: "Settings: User tokens",
    shows: ["Generate a user token", "Resource 1"],
    requests: ["/v2/organizations/get"],
  },
  {
    path: "/settings?tab=token-issuer",
    heading: "Settings: Token issuer",
    shows: ["Accept tokens of the issuer below", "URL of the signing keys", "Default role"],
    requests: ["/v2/workspace/tokenissuerconfig/get"],
  },
  {
    path: "/settings?tab=sessions",
    heading: "Settings: Sessions",
    shows: ["Test Browser/1.0", /current/i],
    requests: ["/v2/workspace/sessions/get"],
  },
  {
    path: "/settings?tab=retention",
    heading: "Settings: Retention",
    shows: ["Until deleted", "365 days", "ACTIVITY_RETENTION_DAYS"],
    requests: ["/v2/workspace/retention/get"],
  },
  {
    path: "/settings?tab=audit",
    heading: "Settings: Audit log",
    shows: ["Domains allowed by token first", "Domains: app.example.com", "Workspace created by the command line"],
    requests: ["/v2/workspace/audit/get", "/v2/workspace/organizations/get"],
  },
  {
    path: "/settings?tab=audit&action=domain.add",
    heading: "Settings: Audit log",
    shows: ["Domains allowed by token first"],
    requests: ["/v2/workspace/audit/get"],
  },
  {
    path: "/settings?tab=audit&actor=first&action=domain.add",
    heading: "Settings: Audit log",
    shows: ["Domains allowed by token first"],
    requests: ["/v2/workspace/audit/get"],
  },
  {
    path: "/settings?tab=audit&to=2020-01-01T00:00:00Z",
    heading: "Settings: Audit log",
    shows: ["No entry matches these filters.", "Clear filters"],
    requests: ["/v2/workspace/audit/get"],
  },
];
