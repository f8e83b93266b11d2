import type { Queryable } from "../../../database/statement.ts";
import { toAdvancedSettings, toBasicSettings } from "../config/webhook-config.ts";
import type { EndpointSettings } from "../endpoints/endpoint.ts";
import { isReported, isSentToEndpoints } from "../payloads/event.ts";
import { selectWebhooks } from "./dispatching/webhook-dispatch-queries.ts";
import { isOfLog, type MessageSubject } from "./message.ts";
import { basicTarget, type Target } from "./target.ts";

/** A webhook of a workspace, and which events it gets. */
export interface Receiver {
  target: Target;
  /** Returns whether it gets an event that was written at a time, in milliseconds since the epoch. */
  wants(event: MessageSubject, timestamp: number): boolean;
}

/** Returns the webhooks of a workspace that are enabled. */
export async function selectReceivers(database: Queryable, workspaceId: string): Promise<Receiver[]> {
  const found = await selectWebhooks(database, workspaceId);
  if (!found) return [];
  const { endpoints, ...config } = found;
  const { useWebhookService, rawNotificationUrl, processedNotificationUrl } = toBasicSettings(config);
  const urls = [
    { kind: "raw", url: rawNotificationUrl },
    { kind: "processed", url: processedNotificationUrl },
  ] as const;
  const basic = urls
    .filter(({ url }) => useWebhookService && url !== "")
    .map(({ kind }) => ({
      target: basicTarget(kind, workspaceId),
      wants: (event: MessageSubject, timestamp: number) =>
        isOfLog(event) && isReported(event) && timestamp >= config.basicSince,
    }));
  if (!toAdvancedSettings(config).isEnabled) return basic;
  return [
    ...basic,
    ...endpoints.map(({ id, settings, activeSince }) => {
      const filters: EndpointSettings = JSON.parse(settings);
      const since = Math.max(activeSince, config.advancedSince);
      return {
        target: id,
        wants: (event: MessageSubject, timestamp: number) => timestamp >= since && isLetThrough(filters, event),
      };
    }),
  ];
}

function isLetThrough({ filterTypes, channels }: EndpointSettings, event: MessageSubject): boolean {
  if (isOfLog(event) && !(isReported(event) && isSentToEndpoints(event.kind))) return false;
  if (filterTypes && !filterTypes.includes(event.kind)) return false;
  const { organizationId, documentId } = event;
  return !channels || channels.includes(organizationId) || (documentId !== null && channels.includes(documentId));
}
