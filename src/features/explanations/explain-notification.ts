import type { Queryable } from "../../database/statement.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { explainEmail, type NotifiedEvent } from "./email.ts";
import type { Explanation } from "./explanation.ts";
import { explainInbox } from "./inbox.ts";
import { selectDecision, selectFacts } from "./queries.ts";

/** Explains, for inbox and email, why a user did or did not get a notification: by stored data and current settings. */
export async function explainNotification(
  database: Queryable,
  workspaceId: string,
  { organizationId, userId, notificationId }: { organizationId: string; userId: string; notificationId: string },
): Promise<{ inbox: Explanation; email: Explanation }> {
  const subject = { organizationKey: organizationKey(workspaceId, organizationId), userId, notificationId };
  const facts = await selectFacts(database, subject);
  if (!facts) {
    const finding = `Organization ${organizationId} has no notification ${notificationId}.`;
    const explanation = `${finding} It was never added, or deleted.`;
    return { inbox: { rule: "not-found", explanation }, email: { rule: "not-found", explanation } };
  }
  const { isNamed, event } = readRecord(facts.record, userId);
  const about = { documentId: facts.documentId, concernsUser: isNamed };
  const decision = await selectDecision(database, "inbox", subject, about);
  return {
    inbox: explainInbox(facts, isNamed, userId, decision),
    email: await explainEmail(database, workspaceId, subject, facts, { event, isNamed }),
  };
}

/** Reads whether a notification's record names the user, and the comment event that set it off. */
function readRecord(record: string, userId: string): { isNamed: boolean; event: NotifiedEvent | undefined } {
  const { notifyUsersByUserId, notificationSource, notificationSourceData }: { [field: string]: unknown } =
    JSON.parse(record);
  const isNamed = Object.hasOwn(Object(notifyUsersByUserId), userId);
  const { actionType, annotationId, commentId }: { [field: string]: unknown } = Object(notificationSourceData);
  const isEvent =
    notificationSource === "comment" && typeof actionType === "string" && typeof annotationId === "string";
  const id = typeof commentId === "number" ? commentId : undefined;
  return { isNamed, event: isEvent ? { actionType, annotationId, commentId: id } : undefined };
}
