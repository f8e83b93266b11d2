import { expect, test } from "vitest";
import { threadsStore } from "../../packages/client/src/stores/index.ts";
import { SCOPE } from "../factories.ts";

/** Returns the actions of Ada, and the calls that they make. */
function recordActions() {
  const calls: unknown[] = [];
  async function call(path: string, request: unknown): Promise<unknown> {
    calls.push(request);
    const results = { 1: { success: true, message: "", annotationId: "due", commentIds: [1] } };
    return { data: path.endsWith("/comments/add") ? [2] : results };
  }
  const session = { client: Object({ call, onReset() {} }), organizationId: SCOPE.organizationId, userId: "ada" };
  return { calls, actions: threadsStore(session, { documentId: SCOPE.documentId }) };
}

const CONTENT = {
  html: "<p><strong>Soon</strong>, @Grace</p>",
  mentions: ["linus", { userId: "grace", text: "@Grace" }],
  attachments: [{ fileId: "file-1" }],
};
const RECORD = {
  commentText: "Soon, @Grace",
  commentHtml: CONTENT.html,
  taggedUserContacts: [{ userId: "linus" }, { userId: "grace", text: "@Grace" }],
  attachments: CONTENT.attachments,
};

test("a new thread, a reply and an edited comment have HTML, mentions with their texts, and attachments", async () => {
  const { calls, actions } = recordActions();
  await actions.add("Soon, @Grace", CONTENT);
  await actions.reply("due", "Soon, @Grace", CONTENT);
  await actions.edit("due", 1, "Soon, @Grace", CONTENT);
  expect(calls).toMatchObject([
    { commentAnnotations: [{ commentData: [RECORD] }] },
    { commentData: [RECORD] },
    { updatedData: RECORD },
  ]);
});

test("editing a comment as plain text removes its HTML, and keeps its mentions and attachments", async () => {
  const { calls, actions } = recordActions();
  await actions.edit("due", 1, "Later");
  expect(calls).toMatchObject([{ updatedData: { commentText: "Later", commentHtml: "" } }]);
  expect(JSON.stringify(calls)).not.toMatch(/taggedUserContacts|attachments/);
});
