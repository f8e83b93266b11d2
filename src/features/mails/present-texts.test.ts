import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { addAnnotations, addComments, changeAnnotations, changeComments, comment } from "../../../test/comments.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { smtpError, startMailServer } from "../../../test/mail-server.ts";
import { allowReplyMails, countMails, countOutcomes } from "../../../test/mails.ts";
import { sql, uuid } from "../../database/sql.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { insertMails } from "./mail-queries.ts";

const service = await startOwnTestService(({ limits }) => ({
  allowPrivateAddresses: true,
  limits: { ...limits, jobPollSeconds: 0.5 },
}));
const REPLY = { from: { userId: "ada", name: "Ada" }, taggedUserContacts: [{ userId: "grace", text: "@grace" }] };

/** Creates a workspace with annotations of ada, whose mails to grace a server sends. */
async function workspaceWithMails(smtpUrl: string, annotations: { annotationId: string; pageInfo?: object }[]) {
  const workspace = await service.workspace();
  const { organizationId } = SCOPE;
  const grace = { userId: "grace", email: "grace@example.com", accessRole: "viewer" as const };
  await workspace.data("/v2/users/add", { organizationId, users: [grace] });
  const commentData = [comment({ from: { userId: "ada" } })];
  await addAnnotations(
    workspace,
    annotations.map((annotation) => ({ ...annotation, commentData })),
  );
  await allowReplyMails(workspace, smtpUrl);
  return workspace;
}

/** Creates a workspace whose mail server defers mails while `work` runs. Returns the mails that it takes afterwards. */
async function sentAfter(work: (workspace: TestWorkspace) => Promise<unknown>, pageInfo: object = {}) {
  let isBusy = true;
  const server = await startMailServer({
    respond() {
      if (isBusy) throw smtpError(451, "later");
    },
  });
  onTestFinished(() => server.close());
  const workspace = await workspaceWithMails(server.url, [{ annotationId: "a", pageInfo }, { annotationId: "b" }]);
  const deferred = await countOutcomes(service.address, "deferred");
  await addComments(workspace, [{ ...REPLY, commentText: "first" }]);
  await expect.poll(() => countOutcomes(service.address, "deferred")).toBeGreaterThan(deferred);
  await work(workspace);
  isBusy = false;
  await addComments(workspace, [{ ...REPLY, commentText: "last" }], { annotationId: "b" });
  await expect.poll(() => countMails(service.database, workspace), { timeout: 30_000 }).toBe(0);
  return server.mails.map(({ parsed }) => parsed);
}

function getTexts(mails: { text?: string | undefined }[]): (string | undefined)[] {
  return mails.map(({ text }) => /^> (.*)$/m.exec(text ?? "")?.[1]).sort();
}

test.each([
  ["comment", (workspace: TestWorkspace) => changeComments(workspace, "delete", { commentIds: [2] })],
  ["annotation", (workspace: TestWorkspace) => changeAnnotations(workspace, "delete", { annotationIds: ["a"] })],
])("a mail that waits is not sent once its %s is deleted", async (_, deleteIt) => {
  expect(getTexts(await sentAfter(deleteIt))).toEqual(["last"]);
});

test("a mail that waits is sent with the present text of its comment", async () => {
  const edit = (workspace: TestWorkspace) =>
    changeComments(workspace, "update", { commentIds: [2], updatedData: { commentText: "edited" } });
  expect(getTexts(await sentAfter(edit))).toEqual(["edited", "last"]);
});

test.each([
  [
    "edited",
    (workspace: TestWorkspace) =>
      changeComments(workspace, "update", { commentIds: [2], updatedData: { commentText: "edited" } }),
  ],
  ["deleted", (workspace: TestWorkspace) => changeComments(workspace, "delete", { commentIds: [2] })],
  [
    "deleted with its annotation",
    (workspace: TestWorkspace) => changeAnnotations(workspace, "delete", { annotationIds: ["a"] }),
  ],
])("the row of a mail that waits loses the text of a comment once that is %s", async (_, change) => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ from: { userId: "ada" } })] }]);
  const { organizationId, documentId } = SCOPE;
  const names = { actor: "Ada", recipient: "Grace", document: "Contract" };
  const event = { ...names, annotationId: "a", commentId: 2, text: "secret" };
  const other = { ...names, annotationId: "b", commentId: 2, text: "kept" };
  await addComments(workspace, [{ ...REPLY, commentText: "secret" }]);
  await insertMails(openOrganization(service.database, workspace, organizationId), [
    {
      ...{ id: randomUUID(), documentId, userId: "grace", address: "grace@example.com", otherUserIds: [] },
      ...{ annotationIds: ["a", "b"], triggers: ["comment.add"] },
      record: JSON.stringify({ ...event, further: [other, event] }),
    },
  ]);
  await change(workspace);
  const [row] = await service.database.run(
    sql<{ record: string }>`select record::text as record from mails where workspace_id = ${uuid(workspace.id)}`,
  );
  expect(row?.record).toContain("kept");
  expect(row?.record).not.toContain("secret");
});

test("an edit writes only the mails that wait for its comment", async () => {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ from: { userId: "ada" } })] }]);
  await addComments(workspace, [{ ...REPLY, commentText: "first" }]);
  const { organizationId, documentId } = SCOPE;
  const names = { actor: "Ada", recipient: "Grace", document: "Contract", trigger: "comment.add" };
  const mails = [1, 2, 22].map((commentId) => ({
    ...{ id: randomUUID(), documentId, userId: "grace", address: "grace@example.com", otherUserIds: [] },
    ...{ annotationIds: ["a"], triggers: ["comment.add"] },
    record: JSON.stringify({ ...names, annotationId: "a", commentId, text: `"commentId":2,` }),
  }));
  await insertMails(openOrganization(service.database, workspace, organizationId), mails);
  const read = () =>
    service.database.run(
      sql<{ id: string; version: string }>`select id, xmin::text as version from mails
        where workspace_id = ${uuid(workspace.id)}`,
    );
  const before = await read();
  await changeComments(workspace, "update", { commentIds: [2], updatedData: { commentText: "edited" } });
  const after = await read();
  const written = after.filter(({ id, version }) => before.find((mail) => mail.id === id)?.version !== version);
  expect(written.map(({ id }) => id)).toEqual([mails[1]?.id]);
});

test("the mails of an annotation refer to one ID, and link to the page where it was made", async () => {
  const reply = (workspace: TestWorkspace) => addComments(workspace, [{ ...REPLY, commentText: "second" }]);
  const mails = await sentAfter(reply, { url: "https://app.example/doc?a=1&b=2" });
  const threads = new Map(
    mails.map(({ text, references, inReplyTo }) => [getTexts([{ text }])[0], [references, inReplyTo]]),
  );
  expect(threads.get("first")).toEqual([
    expect.stringMatching(/^<[\da-f]{32}@example\.com>$/),
    threads.get("first")?.[0],
  ]);
  expect(threads.get("second")).toEqual(threads.get("first"));
  expect(threads.get("last")).not.toEqual(threads.get("first"));
  const { html, text } = mails.find((mail) => getTexts([mail])[0] === "first") ?? {};
  expect(html).toContain('<a href="https://app.example/doc?a=1&amp;b=2">');
  expect(text).toContain("https://app.example/doc?a=1&b=2");
});

test("no mail links to an address that is none of a web page", async () => {
  const urls = ["javascript:alert(1)", "data:text/html,x", "/doc", "mailto:a@b.example"];
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const annotations = urls.map((url, index) => ({ annotationId: `a${index}`, pageInfo: { url } }));
  const workspace = await workspaceWithMails(server.url, annotations);
  for (const { annotationId } of annotations) await addComments(workspace, [REPLY], { annotationId });
  await expect.poll(() => server.mails.length, { timeout: 30_000 }).toBe(urls.length);
  for (const { html, text } of server.mails.map(({ parsed }) => parsed)) {
    expect(html).toContain("Ada");
    expect(html).not.toContain("Open the page");
    for (const url of urls) expect(text).not.toContain(url);
  }
});
