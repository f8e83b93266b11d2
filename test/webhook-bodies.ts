import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import { selectWebhookConfig } from "../src/features/webhooks/config/webhook-config-queries.ts";
import { advancedBody, basicBody } from "../src/features/webhooks/payloads/body.ts";
import type { WebhookEvent } from "../src/features/webhooks/payloads/event.ts";
import { readWorkspace } from "./calling-workspace.ts";
import { SCOPE } from "./factories.ts";
import type { TestService, TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

const ADA = { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" };

/** Returns functions that read the events of a service's workspaces and the bodies that webhooks get for them. */
export function webhookBodies(service: TestService) {
  /** Returns a workspace with both kinds of webhooks and an annotation `a`, with all triggers on. */
  async function workspaceWithThread(annotation: object = {}): Promise<TestWorkspace> {
    const workspace = await service.workspace();
    await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
    await workspace.data("/v2/workspace/webhookconfig/update", { useWebhookService: true });
    await workspace.data("/v2/organizations/documents/add", {
      organizationId: SCOPE.organizationId,
      documents: [{ documentId: SCOPE.documentId, documentName: "Contract 7" }],
    });
    const comment = { commentId: 1, commentText: "Thirty days?", from: ADA, triggerNotification: true };
    await workspace.data("/v2/commentannotations/add", {
      ...SCOPE,
      commentAnnotations: [{ annotationId: "a", priority: "P1", ...annotation, commentData: [comment] }],
    });
    return workspace;
  }

  /** Returns the events of the log, oldest first, as webhooks get them. */
  async function getEvents(workspace: TestWorkspace): Promise<WebhookEvent[]> {
    const rows = await runSql<Omit<WebhookEvent, "organizationId">>(
      service.database,
      `select kind, document_id as "documentId", subject, details, user_id as "userId" from events
       where organization_key = $1 and audience <> 'user' order by position`,
      [organizationKey(workspace.id, SCOPE.organizationId)],
    );
    return rows.map((row) => ({ ...row, organizationId: SCOPE.organizationId }));
  }

  /** Returns the last event, apart from those of the notifications that it triggers. */
  async function lastEvent(workspace: TestWorkspace): Promise<WebhookEvent> {
    const event = (await getEvents(workspace)).findLast(({ kind }) => !kind.startsWith("notification."));
    if (!event) throw new Error("there is no event");
    return event;
  }

  async function buildBody(workspace: TestWorkspace, event: WebhookEvent): Promise<string> {
    const config = await selectWebhookConfig(service.database, workspace.id);
    if (!config) throw new Error("there is no configuration");
    const reading = { workspace: await readWorkspace(service, workspace), database: service.database };
    return advancedBody(reading, config, event, "msg_1");
  }

  async function advanced(workspace: TestWorkspace) {
    return JSON.parse(await buildBody(workspace, await lastEvent(workspace)));
  }

  async function basic(workspace: TestWorkspace, which: "raw" | "processed" = "raw", event?: WebhookEvent) {
    const config = await selectWebhookConfig(service.database, workspace.id);
    if (!config) throw new Error("there is no configuration");
    const reported = event ?? (await lastEvent(workspace));
    const reading = { workspace: await readWorkspace(service, workspace), database: service.database };
    const body = await basicBody(reading, config, reported, "msg_1", which);
    return body === undefined ? undefined : JSON.parse(body);
  }

  async function getAnnotation(workspace: TestWorkspace) {
    const [annotation] = Object(await workspace.data("/v2/commentannotations/get", { ...SCOPE, annotationIds: ["a"] }));
    return annotation;
  }

  return { workspaceWithThread, getEvents, lastEvent, buildBody, advanced, basic, getAnnotation };
}
