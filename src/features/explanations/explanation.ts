import { MAIL_STATES } from "../mails/deliveries/mail-delivery-queries.ts";
import type { AccessBlock } from "../tenancy/tenancy-queries.ts";

/** Rules that decide whether a user gets a notification in a channel. */
export const RULES = [
  ...(["delivered", "hidden", "not-found", "delayed", "not-a-recipient", "acting-user"] as const),
  "not-in-organization" as const,
  ...(["preference-mine", "preference-none", "changed-since", "read", "archived", "removed", "no-mail-event"] as const),
  ...(["email-service-off", "trigger-off", "unsubscribed", "no-address", "organization-blocked"] as const),
  ...(["document-disabled", "unrecorded", "not-permitted"] as const),
  ...MAIL_STATES,
] as const;
type Rule = (typeof RULES)[number];

/** The rule that decided, and a sentence for the operator. */
export interface Explanation {
  rule: Rule;
  explanation: string;
}

/** Returns the rule of an access block. */
export function getRule(block: AccessBlock): Rule {
  return block === "disabled" || block === "being deleted" ? "organization-blocked" : "document-disabled";
}

/** A time in milliseconds since the epoch, as ISO 8601 in UTC. */
export function formatTime(time: number): string {
  return new Date(time).toISOString();
}
