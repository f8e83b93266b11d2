import type { Queryable } from "../../database/statement.ts";
import { MAIL_TRIGGERS, type MailTrigger } from "../../email/templates.ts";
import { readAnnotation } from "../comments/annotations/annotation.ts";
import { readComment, taggedUsers } from "../comments/comments/comment.ts";
import { type MailState, selectDeliveryAbout } from "../mails/deliveries/mail-delivery-queries.ts";
import { readKnownUsers } from "../mails/known-users.ts";
import { getAddress } from "../mails/queue-mails.ts";
import { isStillSeen } from "../mails/still-seen.ts";
import { describeBlock } from "../tenancy/access-block.ts";
import type { OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { parseSettings } from "../workspaces/email-config/email-config.ts";
import { selectEmailConfig } from "../workspaces/email-config/email-config-queries.ts";
import { type Explanation, formatTime, getRule } from "./explanation.ts";
import { type DeliveryFacts, selectAnnotation, selectDecision } from "./explanation-queries.ts";
import { explainPreference } from "./inbox.ts";

/** The comment event that set off a notification. */
export interface NotifiedEvent {
  actionType: string;
  annotationId: string;
  commentId: number | undefined;
  /** Annotations of all events of a digest. */
  annotationIds: string[];
}

/** Explains why a user did or did not get a mail about a notification. Checks the rules in the order of mailing. */
export async function explainEmail(
  scope: OrganizationScope,
  userId: string,
  facts: DeliveryFacts,
  { event, isNamed }: { event: NotifiedEvent | undefined; isNamed: boolean },
): Promise<Explanation> {
  const trigger = MAIL_TRIGGERS.find((name) => name === event?.actionType);
  if (event === undefined || trigger === undefined) return explainMissingTrigger(event);
  if (userId === facts.actionUserId) {
    return { rule: "acting-user", explanation: "The user is the acting user, who gets no mail." };
  }
  if (!isNamed) return { rule: "not-a-recipient", explanation: "The event does not concern the user." };
  const { annotationIds } = event;
  const mail = await selectDeliveryAbout(scope, userId, { since: facts.writtenAt, trigger, annotationIds });
  if (mail && !PENDING.has(mail.state)) return explainMail(mail);
  const setting = await explainSettings(scope, scope.workspace.id, trigger);
  if (setting) return setting;
  const concerned = await selectConcerned(scope, userId, event);
  const { documentId } = facts;
  const decision = await selectDecision(scope, "email", userId, {
    documentId,
    concernsUser: concerned !== undefined,
  });
  if (!decision.isLetThrough) return explainPreference("email", decision, facts);
  const known = await readKnownUsers(scope, [userId]);
  const { email } = known(userId);
  if (getAddress(email, concerned?.email) === undefined) {
    return { rule: "no-address", explanation: "Neither the user's record nor the event has a valid email address." };
  }
  if (facts.block !== null) {
    return { rule: getRule(facts.block), explanation: `Mails are canceled because ${describeBlock(facts.block)}.` };
  }
  const { organizationId, workspace } = scope;
  const about = { workspaceId: workspace.id, organizationId, documentId, userId, annotationIds };
  if (!(await isStillSeen(scope, about))) {
    const explanation =
      "Mails about it are withheld, and queued ones are canceled: no permission lets the user read the document, or " +
      "an annotation is not visible to the user. A mail that was sent earlier stays sent.";
    return { rule: "hidden", explanation };
  }
  if (mail) return explainMail(mail);
  const explanation =
    "No rule prevents the mail now, but the log of `MAIL_RETENTION_DAYS` has none: settings were changed since, or " +
    "the event is older.";
  return { rule: "unrecorded", explanation };
}

const PENDING: ReadonlySet<MailState> = new Set(["queued", "deferred"]);

/** Explains a mail by its entry in the delivery log. */
function explainMail({ state, reason, createdAt, updatedAt }: Awaited<ReturnType<typeof selectDeliveryAbout>> & {}) {
  const said = reason === null ? "" : ` ${reason.replace(/([^.])$/, "$1.")}`;
  const at = formatTime(updatedAt);
  const sentences: Record<MailState, string> = {
    queued: `The mail is queued since ${formatTime(createdAt)}.`,
    deferred: `The last attempt to send the mail failed at ${at}, and another one follows.`,
    sent: `The mail was sent at ${at}.`,
    rejected: `The mail server refused the mail at ${at}, so it was given up.`,
    uncertain: `The mail was given up at ${at}.`,
    expired: `The mail was given up at ${at}, after three days of failed attempts.`,
    canceled: `The mail was canceled at ${at}.`,
  };
  return { rule: state, explanation: `${sentences[state]}${said}` };
}

function explainMissingTrigger(event: NotifiedEvent | undefined): Explanation {
  const explanation = event
    ? `Events of type ${event.actionType} send no mail.`
    : "The notification was added by the API. Only comment events send mail.";
  return { rule: "no-mail-event", explanation };
}

async function explainSettings(
  database: Queryable,
  workspaceId: string,
  trigger: MailTrigger,
): Promise<Explanation | undefined> {
  const { useEmailService, triggers } = parseSettings(await selectEmailConfig(database, workspaceId));
  if (!useEmailService) {
    const explanation = "The workspace's email service is off. Turn it on with /v2/workspace/emailconfig/update.";
    return { rule: "email-service-off", explanation };
  }
  if (triggers[trigger] === true) return undefined;
  const explanation = `The mail trigger ${trigger} is off. Turn it on with /v2/workspace/emailconfig/update.`;
  return { rule: "trigger-off", explanation };
}

/** Returns the user if the comment now tags them or the annotation is now assigned to them. */
async function selectConcerned(
  scope: StoredOrganization,
  userId: string,
  event: NotifiedEvent,
): Promise<{ email?: string | undefined } | undefined> {
  const found = await selectAnnotation(scope, event);
  if (!found) return undefined;
  const { assignedTo } = readAnnotation(found.annotation);
  const tagged = found.comment === null ? [] : taggedUsers(readComment(found.comment));
  return [...tagged, ...(assignedTo ? [assignedTo] : [])].find((user) => user.userId === userId);
}
