import { newId } from "../../../../database/new-id.ts";
import type { Queryable } from "../../../../database/statement.ts";
import { openOrganization } from "../../../tenancy/organization-scope.ts";
import { toAdvancedSettings, type WebhookConfigRow } from "../../config/webhook-config.ts";
import { encodeBody } from "../../payloads/encoding.ts";
import { insertMessages } from "../dispatching/webhook-dispatch-queries.ts";
import { EXHAUSTED, type ExhaustedEvent, type TestEvent } from "../message.ts";
import { selectReceivers } from "../receivers.ts";
import type { Target } from "../target.ts";
import type { DueMessage } from "./webhook-message-queries.ts";

/** Writes messages about one that has failed for good to the endpoints that want them. Returns who gets them. */
export async function reportExhausted(
  transaction: Queryable,
  workspaceId: string,
  endpointId: string,
  { id, position, event: failed }: DueMessage,
): Promise<Target[]> {
  const { organizationId, documentId } = failed;
  const subject = { webhookId: id, endpointId, event: failed.kind };
  const event: ExhaustedEvent = { kind: EXHAUSTED, organizationId, documentId, subject };
  const receivers = await selectReceivers(transaction, workspaceId);
  const targets = receivers.filter(({ wants }) => wants(event, Number.POSITIVE_INFINITY)).map(({ target }) => target);
  const messages = targets.map((target) => ({ id: newId(), target, position, event }));
  const scope = openOrganization(transaction, { id: workspaceId }, organizationId);
  if (messages.length > 0) await insertMessages(scope, messages);
  return targets;
}

/** Returns the body of a message that is about messages: one that has failed for good, or a test. */
export function bodyAboutMessages(
  config: WebhookConfigRow,
  { kind, subject }: ExhaustedEvent | TestEvent,
  webhookId: string,
): string {
  const actionType = kind === EXHAUSTED ? "exhausted" : "test";
  const payload = { event: kind, actionType, source: "webhook", webhookId, data: subject };
  return encodeBody(payload, toAdvancedSettings(config));
}
