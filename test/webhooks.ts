import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Database } from "../src/database/database.ts";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import { inOrganization } from "../src/features/tenancy/organization-scope.ts";
import {
  insertMessages,
  lockDispatch,
} from "../src/features/webhooks/delivery/dispatching/webhook-dispatch-queries.ts";
import type { Api } from "../src/operations.ts";
import { registerCleanup } from "./cleanup.ts";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

const CREATE = "/v2/workspace/advancedwebhook/endpoints/create";

/** Enables advanced webhooks and creates an endpoint. Returns its ID. */
export async function createEndpoint(
  workspace: TestWorkspace,
  fields: Partial<Api[typeof CREATE]["request"]> = {},
): Promise<string> {
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  const { id } = await workspace.data(CREATE, { url: "https://acme.example/hooks", ...fields });
  return id;
}

/** Adds an annotation with a comment that is reported. Returns the ID of the annotation. */
export async function addReportedComment(workspace: TestWorkspace, scope: Partial<typeof SCOPE> = {}): Promise<string> {
  const annotationId = randomUUID();
  const commentData = [{ commentText: "Hello", from: { userId: "ada" }, triggerNotification: true }];
  const commentAnnotations = [{ annotationId, commentData }];
  await workspace.data("/v2/commentannotations/add", { ...SCOPE, ...scope, commentAnnotations });
  return annotationId;
}

/** Moves the messages and failed attempts of a workspace into the past, as if the time had gone by. */
export async function letWebhooksPass(database: Database, workspace: TestWorkspace, ms: number): Promise<void> {
  const key = organizationKey(workspace.id, SCOPE.organizationId);
  await runSql(
    database,
    `update webhook_endpoints set failing_since = failing_since - $2, last_failed_at = last_failed_at - $2
     where workspace_id = $1`,
    [workspace.id, ms],
  );
  await runSql(database, "update webhook_messages set next_at = next_at - $2 where organization_key = $1", [key, ms]);
}

export interface ReceivedRequest {
  headers: Record<string, string>;
  body: string;
  path: string;
}

type Respond = (response: ServerResponse, request: ReceivedRequest) => void;

/** Starts a server on loopback that receives webhooks and responds as `respond` does, by default 204. */
export async function startReceiver(respond: Respond = (response) => void response.writeHead(204).end()) {
  const requests: ReceivedRequest[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const received = { headers: Object(request.headers), path: request.url ?? "", body: await text(request) };
    requests.push(received);
    respond(response, received);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  registerCleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    requests,
    /** Returns the first request. Throws if there is none yet. */
    first(): ReceivedRequest {
      const [request] = requests;
      if (!request) throw new Error("nothing was received yet");
      return request;
    },
  };
}

/** Inserts a message, which nobody sends because webhooks are off, and the position of the organization. */
export async function insertUnsentMessage(
  database: Database,
  workspace: TestWorkspace,
  organizationId: string,
  documentId: string,
): Promise<void> {
  const kind = "comment.delete" as const;
  const event = { organizationId: "acme", kind, documentId, subject: {}, details: null, userId: null };
  const message = { id: randomUUID(), target: randomUUID(), position: 1, event };
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await lockDispatch(scope);
    await insertMessages(scope, [message]);
  });
}
