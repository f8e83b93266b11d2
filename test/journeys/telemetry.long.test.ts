import { expect, test } from "vitest";
import type { Service } from "../../src/service/service.ts";
import { byName, Collector, type Span } from "../collector.ts";
import { eventually } from "../eventually.ts";
import { activity, SCOPE } from "../factories.ts";
import { createTestDatabase, post, TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { ServiceProcess, startInProcess, temporaryDataDir } from "../service-process.ts";
import { addReportedComment, createEndpoint, startReceiver } from "../webhooks.ts";

const OWNER = "owner-f81d@example.com";
const KEY = "bootstrap-key-2c77";
const TOKEN = "bootstrap-token-90a1";
const CREDENTIALS = { "x-service-api-key": KEY, "x-service-auth-token": TOKEN };
/** Text of a body that no span may repeat. */
const CONTENT = "content-5b1f";
const ORGANIZATION = "organization-77e0";
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER_SPAN_ID = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE_ID}-${CALLER_SPAN_ID}-01`;
const TRACESTATE = "acme=t61rcWkgMzE,other=1";
/** Kind of the spans of requests that are sent. */
const CLIENT = 3;
/** Time in which a stop ends although the collector does not respond: a second, on a busy machine. */
const STOP_MS = 5_000;

type Environment = Record<string, string>;

/** Status code of a failed span. */
const ERROR = 2;

/** Returns the settings of a service with its own database and an owner who can ask for a login link. */
async function settings(given: Environment = {}) {
  const { database, connectionString } = await createTestDatabase();
  const environment: Environment = {
    ...{ NODE_ENV: "test", DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64), LOG_LEVEL: "info" },
    ...{ BOOTSTRAP_API_KEY: KEY, BOOTSTRAP_AUTH_TOKEN: TOKEN, BOOTSTRAP_OWNER_EMAIL: OWNER },
    ...given,
  };
  return { database, environment };
}

async function start(given: Environment): Promise<Awaited<ReturnType<typeof startInProcess>>> {
  return startInProcess((await settings(given)).environment);
}

function add({ address }: Pick<Service, "address">, headers: Environment = {}) {
  const activities = [activity({ entityData: { text: CONTENT }, actionUser: { userId: "user-41c9", email: OWNER } })];
  const data = { ...SCOPE, organizationId: ORGANIZATION, activities };
  return post(`${address}/v2/activities/add`, data, { ...CREDENTIALS, ...headers });
}

function askForLink({ address }: Pick<Service, "address">, headers: Environment = {}) {
  return post(`${address}/v2/workspace/email/send-login-link`, { email: OWNER, continueUrl: address }, headers);
}

function named(spans: Span[], name: string): Span {
  const span = spans.find((one) => one.name === name);
  if (!span) throw new Error(`no span is named ${name}: ${spans.map((one) => one.name).join(", ")}`);
  return span;
}

async function stopMs(service: Service): Promise<number> {
  const start = performance.now();
  await service.stop();
  return performance.now() - start;
}

test("a request is a span in its caller's trace, and its statements are parts of it", async () => {
  const collector = await Collector.start();
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  expect(await add(service, { traceparent: TRACEPARENT, "x-request-id": "request-7" })).toMatchObject({
    httpStatus: 200,
  });
  expect(await add(service, { "x-service-auth-token": "wrong-token-0123456789" })).toMatchObject({ httpStatus: 403 });
  await service.stop();

  const added = collector.spans.filter(({ name }) => name === "POST /v2/activities/add");
  expect(added.map(({ attributes }) => attributes)).toEqual([
    {
      "http.request.method": "POST",
      "http.route": "/v2/activities/add",
      "http.response.status_code": 200,
      "colloquy.request_id": "request-7",
      "colloquy.status": "OK",
    },
    expect.objectContaining({ "http.response.status_code": 403, "colloquy.status": "PERMISSION_DENIED" }),
  ]);
  const [ok, rejected] = added;
  expect(ok).toMatchObject({ traceId: TRACE_ID, parentSpanId: CALLER_SPAN_ID });
  expect(rejected?.traceId).not.toBe(TRACE_ID);
  const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === ok?.spanId);
  expect(parts.length).toBeGreaterThan(0);
  for (const { traceId, attributes } of parts) {
    expect({ traceId, attributes }).toEqual({ traceId: TRACE_ID, attributes: { "db.system.name": "postgresql" } });
  }
  expect(collector.resource).toMatchObject({ "service.name": "colloquy", "service.version": "0.1.0" });
});

test("a job and its mail are parts of the trace of the request that has queued them", async () => {
  const collector = await Collector.start();
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  await askForLink(service, { traceparent: TRACEPARENT });
  await eventually(async () => {
    expect(await (await fetch(`${service.address}/metrics`)).text()).toMatch(
      /colloquy_mails_total\{outcome="sent"\} 1/,
    );
  });
  await service.stop();

  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  const request = named(spans, "POST /v2/workspace/email/send-login-link");
  const [job, mail] = [named(spans, "send-login-link"), named(spans, "mail")];
  const queued = spans.filter(({ name }) => name === "transaction" || name.startsWith("insert"));
  expect([request.spanId, ...queued.map(({ spanId }) => spanId)]).toContain(job.parentSpanId);
  expect(job.attributes).toMatchObject({ "messaging.destination.name": "send-login-link" });
  expect(mail).toMatchObject({ parentSpanId: job.spanId, attributes: { "colloquy.mail.outcome": "sent" } });
  expect(spans.filter(({ parentSpanId }) => parentSpanId === job.spanId).map(({ name }) => name)).toContain(
    "insert login_links",
  );
});

test("the trace state of a caller stays with its request and the jobs that it queues", async () => {
  const collector = await Collector.start();
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  await askForLink(service, { traceparent: TRACEPARENT, tracestate: TRACESTATE });
  await eventually(async () => {
    expect(await (await fetch(`${service.address}/metrics`)).text()).toMatch(
      /colloquy_mails_total\{outcome="sent"\} 1/,
    );
  });
  await service.stop();
  const request = named(collector.spans, "POST /v2/workspace/email/send-login-link");
  expect([request.traceState, named(collector.spans, "send-login-link").traceState]).toEqual([TRACESTATE, TRACESTATE]);
});

test("each attempt at a webhook is a span, which the receiver can continue", async () => {
  const collector = await Collector.start();
  const responses = [500, 204];
  const receiver = await startReceiver((response) => void response.writeHead(responses.shift() ?? 204).end());
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ALLOW_PRIVATE_ADDRESSES: "true" };
  const { database, environment } = await settings(given);
  const service = await startInProcess(environment);
  const workspace = new TestWorkspace(service.address, { workspaceId: "", apiKey: KEY, authToken: TOKEN });
  await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
  await addReportedComment(workspace);
  const counted = async () => (await fetch(`${service.address}/metrics`)).text();
  await eventually(async () =>
    expect(await counted()).toContain('colloquy_webhook_attempts_total{outcome="delivered"} 1'),
  );
  expect(await counted()).toContain('colloquy_webhook_attempts_total{outcome="failed"} 1');
  const delivered = "select from webhook_messages where status = 'delivered'";
  await eventually(async () => expect(await runSql(database, delivered)).toHaveLength(1));
  await service.stop();
  const spans = collector.spans.filter(({ name }) => name === "webhook");
  expect(receiver.requests.map(({ headers }) => headers.traceparent)).toEqual(
    spans.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  );
  const sent = { "http.request.method": "POST" };
  expect(spans.map(({ kind, attributes }) => ({ kind, attributes }))).toEqual([
    { kind: CLIENT, attributes: { ...sent, "http.response.status_code": 500, "error.type": "500" } },
    { kind: CLIENT, attributes: { ...sent, "http.response.status_code": 204 } },
  ]);
  expect(spans.map(({ status }) => status.code === ERROR)).toEqual([true, false]);
});

test("an error of the service is a failed span, and so is its statement, by the code of the error", async () => {
  const collector = await Collector.start();
  const { database, environment } = await settings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  const service = await startInProcess(environment);
  await runSql(database, "alter table organizations rename to organizations_away");
  expect(await post(`${service.address}/v1/organizations/get`, {}, CREDENTIALS)).toMatchObject({ httpStatus: 500 });
  await runSql(database, "alter table organizations_away rename to organizations");
  await service.stop();

  const failed = collector.spans.filter(({ status }) => status.code === ERROR);
  const request = named(failed, "POST /v1/organizations/get");
  expect(request.attributes).toMatchObject({ "error.type": "INTERNAL", "http.response.status_code": 500 });
  const [statement] = failed.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  expect(statement).toMatchObject({ name: "select organizations", attributes: { "error.type": "42P01" } });
  expect(JSON.stringify(failed)).not.toContain("does not exist");
});

test("the collector gets every metric of /metrics with its labels and buckets", async () => {
  const collector = await Collector.start();
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  await add(service);
  const text = await eventually(async () => {
    const metrics = await (await fetch(`${service.address}/metrics`)).text();
    expect(metrics).toContain('operation="/v2/activities/add"');
    return metrics;
  });
  await service.stop();

  const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  expect(names).toContain("colloquy_request_duration_seconds");
  expect(names.filter((name) => !collector.metrics.some((metric) => metric.name === name))).toEqual([]);
  const durations = collector.metrics.find(({ name }) => name === "colloquy_request_duration_seconds");
  const [point] = durations?.histogram?.dataPoints ?? [];
  expect(byName(point?.attributes ?? [])).toEqual({ operation: "/v2/activities/add", status: "OK" });
  expect(point?.count).toBe(1);
  expect(point?.explicitBounds).toHaveLength((point?.bucketCounts?.length ?? 0) - 1);
  expect(point?.bucketCounts?.reduce((sum, count) => sum + count)).toBe(1);
  const busy = collector.metrics.find(({ name }) => name === "colloquy_database_connections");
  expect(busy?.gauge?.dataPoints.map(({ attributes }) => byName(attributes))).toContainEqual({ state: "busy" });
  expect(collector.metrics.find(({ name }) => name === "colloquy_mails_total")).toHaveProperty("sum.isMonotonic", true);
});

test("no body, secret, ID or address reaches the collector, and its own credentials do", async () => {
  const collector = await Collector.start();
  const service = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector-token",
    OTEL_SERVICE_NAME: "colloquy-eu",
  });
  await add(service);
  await add(service, { "x-service-auth-token": "wrong-token-0123456789" });
  await post(
    `${service.address}/v2/activities/get`,
    { organizationId: ORGANIZATION, userId: "user-41c9" },
    CREDENTIALS,
  );
  await post(`${service.address}/v2/activities/get?secret=${CONTENT}`, { userId: CONTENT }, CREDENTIALS);
  await askForLink(service);
  await eventually(async () => {
    expect(await (await fetch(`${service.address}/metrics`)).text()).toMatch(
      /colloquy_mails_total\{outcome="sent"\} 1/,
    );
  });
  await service.stop();

  const sent = collector.bodies.join("\n");
  expect(collector.resource).toMatchObject({ "service.name": "colloquy-eu" });
  for (const { authorization } of collector.headers) expect(authorization).toBe("Bearer collector-token");
  const hidden = [OWNER, KEY, TOKEN, CONTENT, ORGANIZATION, SCOPE.documentId, "user-41c9", "wrong-token", "127.0.0.1"];
  for (const text of [...hidden, "collector-token"]) expect(sent).not.toContain(text);
});

test("a share of 0 traces only requests whose caller traces them", async () => {
  const collector = await Collector.start();
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_TRACES_SAMPLER_ARG: "0" });
  await add(service);
  await add(service, { traceparent: TRACEPARENT });
  await add(service, { traceparent: "not-a-traceparent" });
  await service.stop();
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
});

test("a collector that does not respond delays no request, and a stop by a second only", async () => {
  const collector = await Collector.start({ isSilent: true });
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  // More spans than a batch has, so that the first is sent at once.
  for (let round = 0; round < 6; round++) {
    const responses = await Promise.all(Array.from({ length: 100 }, () => add(service)));
    expect(responses.every(({ httpStatus }) => httpStatus === 200)).toBe(true);
  }
  expect(collector.bodies.length).toBeGreaterThan(0);
  expect(await stopMs(service)).toBeLessThan(STOP_MS);
});

test("a collector that is away fails no request and holds up no stop, and the log says so", async () => {
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
  for (let count = 0; count < 3; count++) expect(await add(service)).toMatchObject({ httpStatus: 200 });
  expect(await stopMs(service)).toBeLessThan(STOP_MS);
  // The attempts of a stop end in the background.
  await eventually(() => expect(service.readLog()).toContain("do not reach the collector"));
});

test("a service without a collector loads nothing of OpenTelemetry", async () => {
  // The library of /metrics loads the API of OpenTelemetry.
  const hook = String.raw`import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) {
      if (/@opentelemetry\/(?!api\/)/.test(url)) process.stderr.write("loaded " + url + "\\n");
      return next(url, context);
    } });`;
  const { environment } = await settings({ DATA_DIR: await temporaryDataDir() });
  const command = [process.execPath, "--import", `data:text/javascript,${encodeURIComponent(hook)}`];
  const startCommand = [...command, `${import.meta.dirname}/../../src/main.js`, "start"];
  const [without, having] = [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }].map(
    (given) => new ServiceProcess({ ...environment, ...given }, startCommand),
  );
  for (const service of [without, having]) {
    await service?.address();
    await service?.terminate();
  }
  expect(without?.stderr).not.toContain("loaded");
  expect(having?.stderr).toContain("loaded");
});
