import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { getExamples } from "../documentation/examples.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { smtpError, startMailServer } from "../mail-server.ts";

type Example = ReturnType<typeof getExamples>[number];
type Request = [path: string, data: object];

const ORGANIZATION = { organizationId: "acme" };
const DOCUMENT = { ...ORGANIZATION, documentId: "contract-7" };
const ADA = { userId: "ada", name: "Ada Lovelace" };
const GRACE = { userId: "grace", name: "Grace Hopper" };

const ROLE = { accessRole: "editor" };
const addUsers: Request = [
  "/v2/users/add",
  {
    ...ORGANIZATION,
    users: [
      { ...ADA, email: "ada@example.com", ...ROLE },
      { ...GRACE, ...ROLE },
    ],
  },
];
const startThread: Request = [
  "/v2/commentannotations/add",
  {
    ...DOCUMENT,
    commentAnnotations: [
      { annotationId: "thread-1", commentData: [{ from: ADA, commentText: "Thirty days?", triggerActivities: true }] },
    ],
  },
];
const reply: Request = [
  "/v2/commentannotations/comments/add",
  { ...DOCUMENT, annotationId: "thread-1", commentData: [{ from: GRACE, commentText: "Yes." }] },
];
const react: Request = [
  "/v2/reactions/add",
  { ...DOCUMENT, annotationId: "thread-1", commentId: 2, reaction: "👍", from: ADA },
];
const mailReplies: Request = [
  "/v2/workspace/emailconfig/update",
  { useEmailService: true, emailServiceConfig: { triggers: { "comment.add": true } } },
];
/** A mail server that rejects the mails which the workspace sends by it. */
const mailServer = await startMailServer({
  options: {
    onRcptTo: (_address, _session, done) => done(smtpError(550, "5.1.1 mailbox unavailable: suppressed after bounce")),
  },
});
afterAll(() => mailServer.close());
const sendByMailServer: Request = [
  "/v2/workspace/emailconfig/update",
  { emailServiceConfig: { type: "smtp", apiKey: mailServer.url } },
];
const addAddress: Request = ["/v2/users/add", { ...ORGANIZATION, users: [{ ...GRACE, email: "grace@example.com" }] }];
const replyToGrace: Request = [
  "/v2/commentannotations/comments/add",
  { ...DOCUMENT, annotationId: "thread-1", commentData: [{ from: ADA, commentText: "Agreed." }] },
];
const notify: Request = [
  "/v2/notifications/add",
  {
    ...DOCUMENT,
    actionUser: ADA,
    notifyUsers: [GRACE],
    displayHeadlineMessageTemplate: "{actionUser} asks you to sign",
    displayBodyMessage: "By the end of the week, please.",
  },
];

/** Requests that a page does not show, by the index of the example that needs them. */
const HIDDEN_REQUESTS: Record<string, Record<number, Request[]>> = {
  "comments.md": { 2: [reply, react] },
  "email.md": { 2: [addUsers, startThread, reply], 3: [sendByMailServer, addAddress, replyToGrace] },
  "notifications.md": { 4: [notify] },
  "user-data.md": { 0: [addUsers, mailReplies, startThread, reply, react, notify] },
};
const PAGES = [
  ...["browsers", "collaborative-editing", "comments", "conventions", "email", "folders", "live-state"],
  ...["notifications", "permissions", "signing-in", "user-data", "webhooks"],
];

const DOCS = join(import.meta.dirname, "../../docs");
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const HASH = /^[\da-f]{32}$/;
/** Base64 of the state of a collaborative document. */
const STATE = /^[\w+/]{64,}={0,2}$/;
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const API_KEY = /^colloquy_key_/;
/** Fields whose values differ in every run. */
const VOLATILE = new Set(["lastUpdate", "pageToken", "signature", "workspaceName"]);
/** The year 2001 in milliseconds since the epoch. No other number in the examples is as large. */
const FIRST_TIMESTAMP = 1e12;

const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

test.each(PAGES)(
  "docs/%s.md shows the responses of the service",
  async (name) => {
    const examples = getExamples(readFileSync(join(DOCS, `${name}.md`), "utf8"));
    expect(examples.length).toBeGreaterThan(0);
    const workspace = await service.workspace();
    const named = new Map<string, string>();
    for (const [index, example] of examples.entries()) {
      for (const [path, data] of HIDDEN_REQUESTS[`${name}.md`]?.[index] ?? [])
        await workspace.uncheckedResult(path, data);
      await checkResponse(workspace, example, named);
    }
  },
  120_000,
);

/**
 * Repeats the request until the response is the documented one, because some responses depend on jobs. A request
 * without a documented response must succeed.
 */
async function checkResponse(workspace: TestWorkspace, example: Example, named: Map<string, string>): Promise<void> {
  const { path = "", body, headers, response = '{ "result": { "status": "success" } }' } = example;
  const documented: unknown = JSON.parse(response);
  let actual: unknown;
  async function send(): Promise<unknown> {
    const sent = [...named].reduce((text, [value, current]) => text.replaceAll(value, current), body);
    actual = (await workspace.call(path, sent, headers)).body;
    return actual;
  }
  await expect.poll(send, { timeout: 60_000, message: example.title }).toMatchObject(Object(getExpected(documented)));
  collectNamed(documented, actual, named);
}

/** Replaces the values of the documented response that differ in every run by patterns. */
function getExpected(documented: unknown, name = ""): unknown {
  if (Array.isArray(documented)) return documented.map((item) => getExpected(item));
  if (typeof documented === "object" && documented !== null) {
    return Object.fromEntries(Object.entries(documented).map(([key, value]) => [key, getExpected(value, key)]));
  }
  if (VOLATILE.has(name) || ISO_TIME.test(String(documented))) return expect.any(String);
  if (typeof documented === "number" && documented >= FIRST_TIMESTAMP) return expect.any(Number);
  const pattern = typeof documented === "string" && [UUID, HASH, API_KEY, STATE].find((one) => one.test(documented));
  return pattern ? expect.stringMatching(pattern) : documented;
}

/** Records the value of this run for each documented ID and state, which later requests name. */
function collectNamed(documented: unknown, actual: unknown, named: Map<string, string>): void {
  if (typeof documented === "string" && typeof actual === "string") {
    if (UUID.test(documented) || STATE.test(documented)) named.set(documented, actual);
  } else if (typeof documented === "object" && documented !== null) {
    const values = new Map(Object.entries(Object(actual)));
    for (const [key, value] of Object.entries(documented)) collectNamed(value, values.get(key), named);
  }
}
