import { describeBlock } from "../tenancy/access-block.ts";
import { type Explanation, formatTime, getRule } from "./explanation.ts";
import type { Decision, DeliveryFacts } from "./explanation-queries.ts";

/** Explains why a notification is or is not in a user's inbox, in the order in which delivery applies the rules. */
export function explainInbox(facts: DeliveryFacts, isNamed: boolean, userId: string, decision: Decision): Explanation {
  if (facts.isRecipient) return explainDelivered(facts);
  // A verification also leaves out users whom notifyUsers named, and the record does not say so.
  if (!facts.canReadDocument && facts.block === null) {
    const explanation =
      "No permission lets the user read the document. The notification would be hidden from the user, and is not " +
      "delivered with verifyUserPermissions.";
    return { rule: "not-permitted", explanation };
  }
  if (!isNamed) {
    if (userId === facts.actionUserId) {
      const explanation = "The user is the acting user, and notifyUsers does not name them.";
      return { rule: "acting-user", explanation };
    }
    if (facts.notifyAll === false) {
      return { rule: "not-a-recipient", explanation: "notifyUsers does not name the user, and notifyAll is false." };
    }
    if (!facts.isInOrganization) {
      const explanation = "notifyUsers does not name the user, and notifyAll reaches only users of the organization.";
      return { rule: "not-in-organization", explanation };
    }
  }
  if (!decision.isLetThrough) return explainPreference("inbox", decision, facts);
  if (facts.notifyAll === null && !isNamed) {
    const explanation = "notifyUsers does not name the user. Whether notifyAll was true was not recorded.";
    return { rule: "not-a-recipient", explanation };
  }
  const change = decision.setAt === null ? "" : ` The inbox preference was last set at ${formatTime(decision.setAt)}.`;
  return {
    rule: "changed-since",
    explanation:
      "The notification would reach the user now. The user joined the organization, or the preference was changed, " +
      `after it was added at ${formatTime(facts.writtenAt)}.${change}`,
  };
}

function explainDelivered({ block, isInInbox, isSeen, readAt, archivedAt }: DeliveryFacts): Explanation {
  if (isInInbox && block === null && !isSeen) {
    const explanation =
      "The notification was delivered, and is hidden from the user: no permission lets the user read its document, " +
      "or an annotation or access context hides it from the user.";
    return { rule: "hidden", explanation };
  }
  if (isInInbox) {
    const isReadable = block === null ? "." : `, but ${describeBlock(block)}, so the inbox cannot be read.`;
    return {
      rule: block === null ? "delivered" : getRule(block),
      explanation: `The notification is in the user's inbox${isReadable}`,
    };
  }
  if (archivedAt !== null) {
    const explanation = `The user archived the notification at ${formatTime(archivedAt)}. It has left the inbox.`;
    return { rule: "archived", explanation };
  }
  if (readAt !== null) {
    const explanation = `The user read the notification at ${formatTime(readAt)}. It has left the inbox.`;
    return { rule: "read", explanation };
  }
  const explanation = "The notification was removed from the user's inbox by /v2/notifications/delete.";
  return { rule: "removed", explanation };
}

/** Explains a preference that lets the event through to nobody, or not to this user. */
export function explainPreference(
  channel: "inbox" | "email",
  { preference, level, setAt, unsubscribedAt }: Decision,
  { documentId, writtenAt }: Pick<DeliveryFacts, "documentId" | "writtenAt">,
): Explanation {
  if (channel === "email" && unsubscribedAt !== null) {
    const explanation = `The user unsubscribed from the organization's mails at ${formatTime(unsubscribedAt)}.`;
    return { rule: "unsubscribed", explanation };
  }
  const place = level === "document" ? `document ${documentId}` : "the organization";
  const concerning = channel === "inbox" ? "name the user" : "mention the user or are assigned to them";
  const effect = preference === "MINE" ? `it lets only events through that ${concerning}` : "it lets nothing through";
  const isLater = setAt !== null && setAt > writtenAt;
  const caution = isLater ? " It was set after the notification was added: an earlier preference decided." : "";
  return {
    rule: preference === "MINE" ? "preference-mine" : "preference-none",
    explanation: `The ${channel} preference is ${preference} for ${place}: ${effect}.${caution}`,
  };
}
