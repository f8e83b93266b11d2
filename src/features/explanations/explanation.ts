import type { AccessBlock } from "../tenancy/queries.ts";

/** Rule that decided whether a user got a notification in a channel. */
type Rule =
  | "delivered"
  | "hidden"
  | "not-found"
  | "held"
  | "not-a-recipient"
  | "acting-user"
  | "not-in-organization"
  | "preference-mine"
  | "preference-none"
  | "changed-since"
  | "read"
  | "removed"
  | "no-mail-event"
  | "email-service-off"
  | "trigger-off"
  | "unsubscribed"
  | "no-address"
  | "organization-blocked"
  | "document-disabled"
  | "queued"
  | "sent-or-given-up";

/** The rule that decided, and a sentence for the operator. */
export interface Explanation {
  rule: Rule;
  explanation: string;
}

/** Returns the rule of an access block. */
export function ruleOf(block: AccessBlock): Rule {
  return block === "disabled" || block === "being deleted" ? "organization-blocked" : "document-disabled";
}

/** A time in milliseconds since the epoch, as ISO 8601 in UTC. */
export function formatTime(time: number): string {
  return new Date(time).toISOString();
}
