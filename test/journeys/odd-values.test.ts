import pino from "pino";
import { afterEach, expect, test } from "vitest";
import { getPaths, type Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/operations.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { ODD_NUMBERS, ODD_TEXTS } from "../odd-values.ts";
import { changeField, type Field, fullRequest, getFields, type SchemaNode } from "../request-variants.ts";
import { size } from "../sizes.ts";

/** Errors in the log, also of jobs. */
const errors: unknown[] = [];
const service = await startOwnTestService(
  () => ({}),
  pino({ level: "error" }, { write: (line: string) => void errors.push(JSON.parse(line)) }),
);
const CALLS_AT_ONCE = 8;
/** Number of odd values that a field gets, in its request with all fields and in its example alternately. */
const VALUES_PER_FIELD = size({ usual: 2, long: 20 });
/** Fields that are parsed, and so get all odd texts. */
const PARSED = /(^|\.)(url|\w+Url|domains\.0|timeZone|fromEmail|emailServiceConfig\.apiKey|data)$/;
/** A step that is coprime to the numbers of values, so that fields get different ones. */
const STEP = 37;

/** Odd texts as they may be written in a query, encoded and not. */
const QUERY_TEXTS = [
  ...ODD_TEXTS.filter((text) => text.isWellFormed()).map(encodeURIComponent),
  ...["%", "%zz", "%c0%80", "%ed%a0%80", "%00"],
];
/** Odd texts that HTTP allows in a header. */
const HEADER_TEXTS = ODD_TEXTS.filter((text) => /^[!-~\x80-\xff]+$/.test(text)).flatMap((text) => [
  text,
  `https://${text}`,
]);
const HEADERS = [
  ...["origin", "referer", "user-agent", "x-request-id", "x-forwarded-for", "x-forwarded-host", "accept-language"],
  ...["cookie", "traceparent", "if-none-match", "idempotency-key", "accept-encoding", "accept", "authorization"],
];

afterEach(() => expect(errors).toEqual([]));

/** The values that the service keeps, and those that end what later requests need, come first and last. */
function getOrder({ path }: Operation): number {
  if (/\/(add|set|create|update)$/.test(path) && !path.includes("disablestate")) return 0;
  return /\/(delete|remove|reset|revoke|migrate|disablestate\/update)$/.test(path) ? 2 : 1;
}

function takes({ type, anyOf }: SchemaNode, wanted: "string" | "number"): boolean {
  if (anyOf) return anyOf.some((branch) => takes(branch, wanted));
  return type === wanted || (wanted === "number" && type === "integer") || type === undefined;
}

let given = 0;
function chooseValues({ schema, steps }: Field): unknown[] {
  const isText = schema.type === "string" || schema.type === undefined;
  if (isText && !schema.anyOf && PARSED.test(steps.join("."))) return ODD_TEXTS;
  const values = [...(takes(schema, "string") ? ODD_TEXTS : []), ...(takes(schema, "number") ? ODD_NUMBERS : [])];
  const count = Math.min(VALUES_PER_FIELD, values.length);
  return Array.from({ length: count }, () => values[(given++ * STEP) % values.length]);
}

/** Returns requests with one odd value each, in each field of the operation. */
function buildRequests({ path, request, example }: Operation): unknown[] {
  const full = fullRequest(request, example);
  return getFields(request).flatMap((field) =>
    chooseValues(field).map((value, index) => {
      const changed = changeField(index % 2 === 0 ? full : example, field.steps, value);
      return letParse(path, changed, `odd-${index}`);
    }),
  );
}

/** Changes a request so that the service parses the XML of a collaborative document, and the host of a mail server. */
function letParse(path: string, request: unknown, editorId: string): unknown {
  if (path === "/v2/crdt/add" || path === "/v2/crdt/update") return { ...Object(request), editorId, type: "xml" };
  if (path !== "/v2/workspace/emailconfig/update") return request;
  return changeField(request, ["emailServiceConfig", "type"], "smtp");
}

/** Returns the body of a request, which lets no mail leave this machine. */
function buildOddBody(data: unknown): string {
  return JSON.stringify({ data }).replaceAll('"useEmailService":true', '"useEmailService":false');
}

async function findFailures(workspace: TestWorkspace, path: string, requests: unknown[]): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let first = 0; first < requests.length; first += CALLS_AT_ONCE) {
    await Promise.all(
      requests.slice(first, first + CALLS_AT_ONCE).map(async (data) => {
        const { httpStatus, body } = await workspace.call(path, buildOddBody(data));
        if (httpStatus === 500) failures.push({ path, httpStatus, data: JSON.stringify(data), body });
      }),
    );
  }
  return failures;
}

test("no odd value in any field of any operation is an error of the service", async () => {
  const workspace = await service.workspace();
  const failures: unknown[] = [];
  for (const operation of operations.toSorted((one, other) => getOrder(one) - getOrder(other))) {
    const [path = ""] = getPaths(operation);
    failures.push(...(await findFailures(workspace, path, buildRequests(operation))));
  }
  expect(failures).toEqual([]);
});

test("no odd value in the query of the event stream is an error of the service", async () => {
  const workspace = await service.workspace();
  const statuses = await Promise.all(
    ["organizationId", "documentId", "documentIds", "kinds", "cursor", "inbox"].flatMap((name) =>
      QUERY_TEXTS.map(async (text) => {
        const controller = new AbortController();
        const query = `organizationId=acme&${name}=${text}`;
        const { headers } = workspace;
        const { signal } = controller;
        const { status } = await fetch(`${service.address}/v2/events/stream?${query}`, { headers, signal });
        controller.abort();
        return { query, status };
      }),
    ),
  );
  expect(statuses.filter(({ status }) => status >= 500)).toEqual([]);
});

test("no odd value in a header is an error of the service", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/domains/add", { domains: ["app.example.com"] });
  const request = { organizationId: "acme", documentId: "contract-7" };
  const statuses = await Promise.all(
    HEADERS.flatMap((name) =>
      HEADER_TEXTS.map(async (text) => {
        const { httpStatus } = await workspace.call("/v2/presence/get", request, { [name]: text });
        return { name, text, httpStatus };
      }),
    ),
  );
  expect(statuses.filter(({ httpStatus }) => httpStatus >= 500)).toEqual([]);
});
