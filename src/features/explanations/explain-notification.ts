import { selectDelayedOfUser } from "../comments/delayed/delayed-notification-queries.ts";
import { identifyOrganization, type OrganizationScope } from "../tenancy/organization-scope.ts";
import { findCallingWorkspace } from "../workspaces/workspace-queries.ts";
import { explainEmail, type NotifiedEvent } from "./email.ts";
import { type Explanation, formatTime } from "./explanation.ts";
import { type Subject, selectDecision, selectFacts } from "./explanation-queries.ts";
import { explainInbox } from "./inbox.ts";

interface ExplainedNotification {
  inbox: Explanation;
  email: Explanation;
  /** Time at which the user read the notification, in milliseconds since the epoch. */
  readAt?: number;
}

/** Explains, for inbox and email, why a user did or did not get a notification: by stored data and current settings. */
export async function explainNotification(scope: OrganizationScope, subject: Subject): Promise<ExplainedNotification> {
  const { userId } = subject;
  const workspace = await findCallingWorkspace(scope, scope.workspace.id);
  if (!workspace) throw new Error("the workspace does not exist");
  const facts = await selectFacts(identifyOrganization(scope, workspace, scope.organizationId), subject);
  if (!facts) {
    const missing = await explainMissing(scope, subject);
    return { inbox: missing, email: missing };
  }
  const { isNamed, event } = readRecord(facts.record, userId);
  const about = { documentId: facts.documentId, concernsUser: isNamed };
  const decision = await selectDecision(scope, "inbox", userId, about);
  return {
    inbox: explainInbox(facts, isNamed, userId, decision),
    email: await explainEmail(scope, userId, facts, { event, isNamed }),
    ...(facts.readAt !== null && { readAt: facts.readAt }),
  };
}

/** Explains a notification that does not exist, perhaps because it is delayed: it gets its ID at delivery. */
async function explainMissing(scope: OrganizationScope, { userId, notificationId }: Subject): Promise<Explanation> {
  const finding = `Organization ${scope.organizationId} has no notification ${notificationId}.`;
  const { count, nextDueAt } = await selectDelayedOfUser(scope, userId);
  if (nextDueAt === null) return { rule: "not-found", explanation: `${finding} It was never added, or deleted.` };
  const delayed = count === 1 ? "1 notification to the user is" : `${count} notifications to the user are`;
  const until = `the next until ${formatTime(nextDueAt)} at the latest`;
  return { rule: "delayed", explanation: `${finding} ${delayed} delayed, ${until}.` };
}

/** Reads whether a notification's record names the user, and the comment event that set it off. */
function readRecord(record: string, userId: string): { isNamed: boolean; event: NotifiedEvent | undefined } {
  const { notifyUsersByUserId, notificationSource, notificationSourceData }: { [field: string]: unknown } =
    JSON.parse(record);
  const isNamed = Object.hasOwn(Object(notifyUsersByUserId), userId);
  const source: { [field: string]: unknown } = Object(notificationSourceData);
  // A digest is explained by its newest event.
  const events: unknown[] = Array.isArray(source.activities) ? source.activities : [source];
  const newest = events.at(-1);
  const { actionType, annotationId, commentId }: { [field: string]: unknown } = Object(newest);
  const isEvent =
    notificationSource === "comment" && typeof actionType === "string" && typeof annotationId === "string";
  const id = typeof commentId === "number" ? commentId : undefined;
  const annotationIds = events.flatMap((one) => {
    const { annotationId: other }: { annotationId?: unknown } = Object(one);
    return typeof other === "string" ? [other] : [];
  });
  return { isNamed, event: isEvent ? { actionType, annotationId, commentId: id, annotationIds } : undefined };
}
