/** Labels of the tabs of the settings, whose contents are loaded with their page only. */
export const SETTINGS_TABS = {
  activities: "Activities",
  notifications: "Notifications",
  email: "Email",
  access: "Access",
  versions: "Versions",
  domains: "Allowed domains",
  tokens: "Auth tokens",
  "user-tokens": "User tokens",
  "token-issuer": "Token issuer",
  sessions: "Sessions",
  retention: "Retention",
  audit: "Audit log",
};
