import type { MailDelivery } from "../../api/records.ts";

/** States of a mail, with their labels. */
export const STATES: { value: MailDelivery["state"]; label: string }[] = [
  { value: "queued", label: "Queued" },
  { value: "deferred", label: "Deferred" },
  { value: "sent", label: "Sent" },
  { value: "rejected", label: "Refused" },
  { value: "uncertain", label: "Given up: may have arrived" },
  { value: "expired", label: "Given up: too late" },
  { value: "canceled", label: "Canceled" },
];

const KINDS: Record<MailDelivery["kind"], string> = {
  notification: "Notification",
  test: "Test mail",
  login_link: "Login link",
  webhook_disabled: "Webhook endpoint disabled",
};

/** Returns what a mail without a user is. */
export function getKindLabel(kind: MailDelivery["kind"]): string {
  return KINDS[kind];
}

export function getStateLabel(state: MailDelivery["state"]): string {
  return STATES.find(({ value }) => value === state)?.label ?? state;
}

/** Returns whether a mail in this state did not reach the mail server, or may not have. */
export function isFailure(state: MailDelivery["state"]): boolean {
  return ["deferred", "rejected", "uncertain", "expired"].includes(state);
}
