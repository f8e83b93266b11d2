import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { createTestDatabase, startOwnTestService, TestWorkspace } from "../../../../test/harness.ts";
import { startMailServer } from "../../../../test/mail-server.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { ServiceProcess } from "../../../../test/service-process.ts";
import {
  addReportedComment as comment,
  createEndpoint,
  letWebhooksPass,
  type ReceivedRequest,
  startReceiver,
} from "../../../../test/webhooks.ts";
import type { Database } from "../../../database/database.ts";

const ONE_EVENT = { filterTypes: ["comment_annotation.add"] };
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

function getAnnotationId({ body }: ReceivedRequest): string {
  return JSON.parse(body).data.commentAnnotation.annotationId;
}

/** Returns the messages to an endpoint that meet a condition in SQL. */
function messagesTo(database: Database, endpointId: string, condition: string) {
  return runSql(database, `select id from webhook_messages where target = $1 and ${condition}`, [endpointId]);
}

test("two processes send each message once and those of a document in order", async () => {
  const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));
  const workspace = await service.workspace();
  const other = workspace.at((await service.secondProcess()).address);
  // Responses wait until all comments are added, so that both processes have messages to send at the same time. Few
  // comments: a message whose response takes 15 s is sent again.
  const waiting: (() => void)[] = [];
  let isAdded = false;
  const receiver = await startReceiver((response) => {
    const respond = () => void response.writeHead(204).end();
    if (isAdded) respond();
    else waiting.push(respond);
  });
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  const added: string[] = [];
  for (let count = 0; count < 5; count++) {
    for (const caller of [workspace, other]) added.push(await comment(caller));
  }
  isAdded = true;
  for (const respond of waiting) respond();
  await eventually(async () =>
    expect(await messagesTo(service.database, endpointId, "status = 'delivered'")).toHaveLength(added.length),
  );
  expect(receiver.requests.map(getAnnotationId)).toEqual(added);
});

test("the owner gets one mail about an endpoint that was disabled, with two processes too", async () => {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const service = await startOwnTestService(() => ({ allowPrivateAddresses: true, smtpUrl: server.url }));
  await service.secondProcess();
  const workspace = await service.workspace();
  await runSql(service.database, "update workspaces set owner_email = 'ada@acme.example' where id = $1", [
    workspace.id,
  ]);
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  const endpointId = await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  const documents = Array.from({ length: 8 }, (_, number) => `contract-${number}`);
  await Promise.all(documents.map((documentId) => comment(workspace, { documentId })));
  await eventually(async () =>
    expect(await messagesTo(service.database, endpointId, "failures > 0")).toHaveLength(documents.length),
  );
  const failing = `update webhook_endpoints set failing_since = failing_since - $2
    where id = $1 and failing_since is not null returning id`;
  await eventually(async () => expect(await runSql(service.database, failing, [endpointId, 5 * DAY])).toHaveLength(1));
  await letWebhooksPass(service.database, workspace, HOUR);
  await eventually(async () => {
    const jobs = await runSql(
      service.database,
      "select state::text as state from pgboss.job where name = 'send-webhook-disabled-notice'",
    );
    expect(jobs).toEqual([{ state: "completed" }]);
  });
  expect(server.mails.map(({ to }) => to)).toEqual([["ada@acme.example"]]);
  expect(server.mails[0]?.parsed.text).toContain(endpointId);
});

test("kill -9 of a process that sends loses no message", async () => {
  const { database, connectionString } = await createTestDatabase();
  const credentials = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
  const start = () =>
    new ServiceProcess({
      ...{ DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64), ALLOW_PRIVATE_ADDRESSES: "true" },
      ...{ BOOTSTRAP_API_KEY: credentials.apiKey, BOOTSTRAP_AUTH_TOKEN: credentials.authToken },
    });
  const killed = start();
  const workspace = new TestWorkspace(await killed.address(), { workspaceId: "", ...credentials });
  let kill: Promise<unknown> | undefined;
  const received = new Set<string>();
  const receiver = await startReceiver((response, request) => {
    if (kill === undefined && received.size === 10) {
      kill = killed.terminate("SIGKILL");
      return;
    }
    received.add(getAnnotationId(request));
    response.writeHead(204).end();
  });
  await createEndpoint(workspace, { url: receiver.url, ...ONE_EVENT });
  const acknowledged: string[] = [];
  const addUntilKilled = async (documentId: string) => {
    while (kill === undefined) {
      const id = await comment(workspace, { documentId }).catch(() => undefined);
      if (id !== undefined) acknowledged.push(id);
    }
  };
  await Promise.all(["contract-1", "contract-2", "contract-3"].map(addUntilKilled));
  await kill;
  const missing = () => acknowledged.filter((id) => !received.has(id));
  expect(missing()).not.toEqual([]);
  // The lease of the killed process ends as if its time had gone by.
  await runSql(database, "update webhook_leases set ends_at = 0");
  await start().address();
  await eventually(() => expect(missing()).toEqual([]));
});
