import type { EventKind } from "../../event-log/event.ts";
import { isTriggered } from "../config/triggers.ts";
import { toAdvancedSettings, toBasicSettings, type WebhookConfigRow } from "../config/webhook-config.ts";
import { type CommentFacts, type Reading, readCommentFacts } from "./comment-facts.ts";
import { readCrdtFacts } from "./crdt-facts.ts";
import { encodeBody } from "./encoding.ts";
import { getAction, getTrigger, type WebhookEvent } from "./event.ts";
import { readRecorderFacts } from "./recorder-facts.ts";

/** What a body says about a record other than a comment, and the name of its document. */
interface Facts {
  fields: Record<string, unknown> & { actionUser: unknown };
  documentName: string | undefined;
}

/** How the facts of events are read that are not about comments. */
const FACTS_OF_KINDS: { readonly [Kind in EventKind]?: (reading: Reading, event: WebhookEvent) => Promise<Facts> } = {
  "crdt.update_data": readCrdtFacts,
  "recorder.done": readRecorderFacts,
};

/** Returns the body that endpoints get for an event, with the records as they are now. */
export async function advancedBody(
  reading: Reading,
  config: WebhookConfigRow,
  event: WebhookEvent,
  webhookId: string,
): Promise<string> {
  const settings = toAdvancedSettings(config);
  const about = { event: event.kind, actionType: getAction(event) };
  const readFacts = FACTS_OF_KINDS[event.kind];
  if (readFacts) {
    const { fields, documentName } = await readFacts(reading, event);
    const { actionUser, ...record } = fields;
    const data = { actionUser, metadata: advancedMetadata(reading, event, documentName), ...record };
    const [source] = event.kind.split(".");
    return encodeBody({ ...about, source, webhookId, data }, settings);
  }
  const facts = await readCommentFacts(reading, event);
  const { actionUser, commentAnnotation, targetComment, visibility, documentName } = facts;
  const metadata = advancedMetadata(reading, event, documentName);
  const { oldStatus, newStatus } = event.details ?? {};
  const data = {
    ...{ actionUser, metadata, commentAnnotation, targetComment },
    ...{ oldStatus, newStatus, newPriority: getNewPriority(event, facts), visibility },
  };
  return encodeBody({ ...about, source: "comment", webhookId, data, ...facts.preferences }, settings);
}

function advancedMetadata(
  { workspace: { apiKey } }: Reading,
  { organizationId, documentId }: WebhookEvent,
  documentName: string | undefined,
) {
  return { apiKey, organization: { organizationId }, document: { documentId, documentName } };
}

/** Returns the body that a URL of basic webhooks gets for an event; undefined if its trigger is off. */
export async function basicBody(
  reading: Reading,
  config: WebhookConfigRow,
  event: WebhookEvent,
  webhookId: string,
  which: "raw" | "processed",
): Promise<string | undefined> {
  const settings = toBasicSettings(config);
  const [source, actionType] = getTrigger(event) ?? [];
  if (!source || !actionType || !isTriggered(settings.triggers, source, actionType)) return undefined;
  const about = { webhookId, actionType, notificationSource: source };
  const readFacts = FACTS_OF_KINDS[event.kind];
  if (readFacts) {
    const { fields, documentName } = await readFacts(reading, event);
    const { actionUser, ...record } = fields;
    const metadata = basicMetadata(reading, event, documentName);
    // No users are known to be involved in the change of a collaborative document.
    const denied = source === "crdt" && which === "processed" ? { accessDeniedUsers: [] } : {};
    return encodeBody({ ...about, actionUser, metadata, ...record, ...denied }, settings);
  }
  const facts = await readCommentFacts(reading, event);
  const { actionUser, commentAnnotation, targetComment, visibility, documentName, accessDeniedUsers } = facts;
  const { oldStatus, newStatus, assigned } = event.details ?? {};
  const metadata = basicMetadata(reading, event, documentName);
  const payload = {
    ...{ ...about, actionUser, metadata, commentAnnotation, targetComment },
    ...{ newPriority: getNewPriority(event, facts), oldStatus, newStatus, assigned, visibility },
    ...(which === "processed" && { ...(visibility && { accessDeniedUsers }), ...facts.preferences }),
  };
  return encodeBody(payload, settings);
}

function basicMetadata(
  { workspace: { apiKey } }: Reading,
  { organizationId, documentId }: WebhookEvent,
  documentName: string | undefined,
) {
  return {
    apiKey,
    ...{ organizationId, clientOrganizationId: organizationId },
    ...{ documentId, clientDocumentId: documentId, documentName },
  };
}

/** Returns the new priority. A priority that is not a text is not in the event, so the current one is returned. */
function getNewPriority({ kind, details }: WebhookEvent, { commentAnnotation }: CommentFacts): unknown {
  if (kind !== "comment_annotation.priority_change") return undefined;
  return details?.newPriority ?? ("priority" in commentAnnotation ? commentAnnotation.priority : null);
}
