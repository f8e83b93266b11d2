import type { IconName } from "../components/Icon.tsx";

/** Something to do, on the page that it leads to or at once. */
export interface PaletteAction {
  label: string;
  /** Further words that find it. */
  keywords: string;
  icon: IconName;
  href: string;
}

/** Actions of the palette that change the color scheme, by the names of the schemes. */
export const SCHEME_HREFS = { dark: "#dark", light: "#light", auto: "#auto" } as const;

const ACTIONS: PaletteAction[] = [
  { label: "Create an auth token", keywords: "new API key", icon: "tokens", href: "/settings?tab=tokens#create" },
  { label: "Revoke an auth token", keywords: "leaked delete", icon: "tokens", href: "/settings?tab=tokens#revoke" },
  { label: "Generate a user token", keywords: "jwt create", icon: "tokens", href: "/settings?tab=user-tokens" },
  { label: "Revoke user tokens", keywords: "jwt sign out", icon: "tokens", href: "/settings?tab=user-tokens#revoke" },
  {
    label: "Set up a token issuer",
    keywords: "jwt jwks auth0 oidc",
    icon: "tokens",
    href: "/settings?tab=token-issuer",
  },
  { label: "Set up a mail server", keywords: "SMTP provider sendgrid", icon: "outbox", href: "/settings?tab=email" },
  { label: "Send a test mail", keywords: "SMTP email", icon: "outbox", href: "/settings?tab=email#test" },
  { label: "Export a user's data", keywords: "GDPR download", icon: "people", href: "/people#export" },
  { label: "Delete a user's data", keywords: "GDPR erase forget", icon: "people", href: "/people#delete" },
  { label: "Create an organization", keywords: "new customer", icon: "organizations", href: "/organizations#create" },
  { label: "Create a webhook endpoint", keywords: "new", icon: "webhooks", href: "/webhooks#create" },
  { label: "Send failed webhooks again", keywords: "replay retry", icon: "webhooks", href: "/webhooks#retry" },
  { label: "Allow a domain", keywords: "CORS origin add", icon: "domains", href: "/settings?tab=domains#add" },
  { label: "End a session", keywords: "sign out", icon: "settings", href: "/settings?tab=sessions#end" },
  { label: "Dark mode", keywords: "color scheme theme", icon: "settings", href: SCHEME_HREFS.dark },
  { label: "Light mode", keywords: "color scheme theme", icon: "settings", href: SCHEME_HREFS.light },
  { label: "Color scheme of the system", keywords: "auto theme", icon: "settings", href: SCHEME_HREFS.auto },
];

/** Returns the actions that have a word which starts with each word of the text. */
export function findActions(text: string): PaletteAction[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return ACTIONS.filter(({ label, keywords }) => {
    const own = `${label} ${keywords}`.toLowerCase().split(/\s+/);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
}
