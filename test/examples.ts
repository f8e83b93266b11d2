import { randomUUID } from "node:crypto";
import { Check } from "typebox/value";
import { getPaths, type Operation } from "../src/contract/operation.ts";
import { operations } from "../src/operations.ts";
import { eventually } from "./eventually.ts";
import { addActivities } from "./factories.ts";
import type { TestService, TestWorkspace } from "./harness.ts";
import { deleteUserData, untilDeletionDone } from "./user-data.ts";
import { addReportedComment, createEndpoint } from "./webhooks.ts";

const WEBHOOK_ENDPOINTS = "/v2/workspace/advancedwebhook/";

/** An operation at one of its paths. */
export interface Endpoint {
  path: string;
  operation: Operation;
  example: unknown;
  isDataRequired: boolean;
}

export const endpoints: Endpoint[] = operations.flatMap((operation) =>
  getPaths(operation).map((path) => ({
    path,
    operation,
    example: operation.example,
    isDataRequired: !Check(operation.request, {}),
  })),
);

/** Creates a workspace and sends the examples that the operation's own example needs. */
export async function preparedWorkspace(service: Pick<TestService, "workspace">, path: string): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  for (const needed of neededAdds(path)) {
    const add = endpoints.find((other) => other.path !== path && other.path === needed);
    if (add) await workspace.uncheckedResult(add.path, add.example);
  }
  return workspace;
}

/** Creates a workspace with data under the IDs that the examples name. */
export async function filledWorkspace(service: Pick<TestService, "workspace">): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  for (const { path, example } of operations.filter(({ path }) => path.endsWith("/add"))) {
    await workspace.uncheckedResult(path, example);
  }
  await addActivities(workspace, ["activity-1", "activity-2"]);
  await addActivities(workspace, ["activity-1"], { organizationId: "acme-archive" });
  return workspace;
}

/**
 * Returns everything that the workspace can read, with the examples and some requests with fewer filters. The request
 * log is left out, which every request changes.
 */
export async function readAll(workspace: TestWorkspace): Promise<unknown[]> {
  const reads = [
    ...endpoints.filter(({ path }) => path.endsWith("/get") && !path.startsWith("/v2/workspace/requests/")),
    { path: "/v1/organizations/get", example: {} },
    { path: "/v2/activities/get", example: { organizationId: "acme" } },
    { path: "/v2/activities/get", example: { organizationId: "acme-archive" } },
  ];
  return Promise.all(reads.map(async ({ path, example }) => stablePart(await workspace.call(path, example))));
}

/** Returns the example of an operation, with the API key, or the ID of a job or mail, of the workspace if needed. */
export async function exampleIn(workspace: TestWorkspace, path: string, example: unknown): Promise<unknown> {
  if (path === "/v2/workspace/outbox/mails/get") return { mailId: await someMailId(workspace) };
  if (typeof Object(example).authToken === "string") {
    return { ...Object(example), apiKey: workspace.apiKey, authToken: workspace.authToken };
  }
  if (path === "/v2/organizations/documents/migrate/status") return startedMigration(workspace, example);
  if (path.startsWith(WEBHOOK_ENDPOINTS)) return withWebhookEndpoint(workspace, example);
  if (path === "/v2/users/data/deletions/receipt/get") return { jobId: await completedDeletion(workspace) };
  if (path === "/v2/workspace/authtoken/reset") return { apiKey: workspace.apiKey };
  const start = path.endsWith("/status") ? path.replace("/status", "") : undefined;
  const starting = operations.find((other) => getPaths(other).some((one) => one === start));
  if (!starting) return example;
  const { body } = await workspace.call(starting.path, starting.example);
  return { ...Object(example), jobId: Object(body).data.jobId };
}

/** Deletes the data of a user who has none. Returns the job ID. */
async function completedDeletion(workspace: TestWorkspace): Promise<string> {
  const { jobId } = await deleteUserData(workspace, ["nobody"]);
  await untilDeletionDone(workspace, jobId);
  return jobId;
}

/** Returns the credentials of the workspace for an operation that has them in the body. */
export function credentialsIn({ apiKey, authToken }: TestWorkspace, example: unknown): object {
  return "authToken" in Object(example) ? { apiKey, authToken } : {};
}

/** Returns the example with the ID of a migration that it starts. */
async function startedMigration(workspace: TestWorkspace, example: unknown): Promise<unknown> {
  const { organizationId } = Object(example);
  const documentId = randomUUID();
  const documents = [{ documentId }];
  await workspace.uncheckedResult("/v2/organizations/documents/add", { organizationId, documents });
  const request = { organizationId, documentId, newDocumentId: randomUUID() };
  const { data } = await workspace.uncheckedResult("/v2/organizations/documents/migrate", request);
  return { organizationId, migrationId: Object(data).migrationId };
}

/** Enables advanced webhooks. Returns the example with the ID of an endpoint that it creates, if it names one. */
async function withWebhookEndpoint(workspace: TestWorkspace, example: unknown): Promise<unknown> {
  const endpointId = await createEndpoint(workspace);
  if ("deliveryId" in Object(example)) return { endpointId, deliveryId: await someDeliveryId(workspace, endpointId) };
  return "endpointId" in Object(example) ? { ...Object(example), endpointId } : example;
}

/** Returns the ID of a delivery to the endpoint. */
async function someDeliveryId(workspace: TestWorkspace, endpointId: string): Promise<string> {
  await addReportedComment(workspace);
  const path = "/v2/workspace/advancedwebhook/deliveries/get";
  return eventually(async () => {
    const [delivery] = (await workspace.data(path, { endpointId })).deliveries;
    if (!delivery) throw new Error("there is no delivery yet");
    return delivery.deliveryId;
  });
}

/** Returns the ID of a mail in the outbox, and sends one if there is none. */
async function someMailId(workspace: TestWorkspace): Promise<unknown> {
  const [mail] = await workspace.data("/v2/workspace/outbox/get", {});
  if (mail) return mail.id;
  await workspace.data("/v2/workspace/email/send-test-mail", { email: "ada@example.com" });
  return someMailId(workspace);
}

/** Returns the body of a response without what changes between calls: server statistics, last uses, event cursors. */
function stablePart({ body }: { body: unknown }): unknown {
  const changing = new Set(["databaseSizeBytes", "eventCursor", "health", "lastUsedAt", "queuedJobs"]);
  return JSON.parse(JSON.stringify(body, (name, value) => (changing.has(name) ? undefined : value)));
}

/** Returns the fields that every successful response of the operation has. */
export function expectedSuccess({ message, isAsynchronous }: Operation): object {
  const success = { status: "success", message };
  if (isAsynchronous) return { httpStatus: 202, body: { ...success, statusCode: 202 } };
  return { httpStatus: 200, body: { result: success } };
}

/** Returns the paths whose examples must run before that of the operation, such as `/v2/crdt/add` before an update. */
function neededAdds(path: string): string[] {
  const own = path.replace(/[^/]+$/, "add");
  const isInAnnotation = /^\/v[12]\/(reactions|commentannotations\/comments)\//.test(path);
  if (path.startsWith("/v2/crdt/versions/")) return ["/v2/crdt/add", own];
  if (path.startsWith("/v2/crdt/schema/")) return ["/v2/crdt/add"];
  return isInAnnotation ? ["/v2/commentannotations/add", own] : [own];
}
