import { expect, test } from "vitest";
import { threadActions } from "../../packages/client/src/stores/thread-actions.ts";
import { SCOPE } from "../factories.ts";

/** Returns the actions of Ada, and the calls that they make. */
function recordActions() {
  const calls: unknown[] = [];
  const actions = threadActions(
    async (_path, request) => {
      calls.push(request);
      // The responses of all operations here are results by ID.
      return { 1: { success: true, message: "", annotationId: "due" } } as never;
    },
    SCOPE,
    "ada",
  );
  return { calls, actions };
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
