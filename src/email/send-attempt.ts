/** Timeout of an attempt to send a mail. */
export const ATTEMPT_TIMEOUT_MS = 60_000;

/** Outcome of one attempt to send. */
export interface SendResult {
  /**
   * `sent`: the server accepted the mail. `rejected`: it never will. `deferred`: it may later. `uncertain`: the
   * connection was lost after the server received the content and before it responded.
   */
  outcome: "sent" | "rejected" | "deferred" | "uncertain";
  /** Codes and the server's response from before it received the content, without addresses and secrets. */
  reason?: string;
  /** What happened, in words that quote nothing of the server, so that a tenant may read them. */
  explanation?: string;
  /** The server's response to the sender, the recipient or the content, without addresses and secrets. */
  response?: string;
}

/** Returns what the server has said about a mail, or else what happened, in words that quote nothing of the server. */
export function toReason({ outcome, response, explanation }: SendResult): string | null {
  if (outcome === "uncertain") return "The connection or the process ended during the attempt, so it may have arrived.";
  if (outcome === "sent") return explanation === undefined ? null : `It ${explanation}.`;
  return response ?? `The mail server did not accept it: ${explanation}.`;
}
