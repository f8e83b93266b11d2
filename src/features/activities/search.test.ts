import { expect, test } from "vitest";
import { activity, addActivities, readActivityIds, readActivityPages, SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";

const service = await startTestService();
const { organizationId } = SCOPE;

/** Adds activities whose message is a text, by ID. */
async function workspaceWith(messages: Record<string, string>) {
  const workspace = await service.workspace();
  const given = Object.entries(messages).map(([id, displayMessageTemplate]) => ({ id, displayMessageTemplate }));
  await addActivities(workspace, given);
  return workspace;
}

const RECORDS = [
  { id: "template", displayMessageTemplate: "{{user}} signed the Contract with Globex" },
  { id: "data", displayMessageTemplateData: { document: { title: "Résumé of 2027" }, pages: 12 } },
  { id: "user", actionUser: { userId: "grace", name: "Grace Hopper", email: "grace@example.com" } },
  { id: "action", actionType: "clause.edit", displayMessageTemplate: "signed by hand" },
  { id: "elsewhere", entityData: { note: "signed" }, changes: { title: { from: "signed", to: "open" } } },
];

test.each([
  ["a word of the message, in any case", "CONTRACT", ["template"]],
  ["all of several words", "globex signed", ["template"]],
  ["words in quotation marks one after the other", '"the contract"', ["template"]],
  ["no words in quotation marks in another order", '"contract the"', []],
  ["one of two words", "globex or hopper", ["template", "user"]],
  ["a word without another", "signed -globex", ["action"]],
  ["a text at any depth of the message's data", "résumé", ["data"]],
  ["letters of any language, without regard to case", "RÉSUMÉ", ["data"]],
  ["no number in the message's data", "12", []],
  ["the name of the user", "grace hopper", ["user"]],
  ["no e-mail address", "grace@example.com", []],
  ["the action type", "clause.edit", ["action"]],
  ["whole words only", "contra", []],
  ["operators and quotation marks as punctuation", "globex & | ! ':* \\ (", ["template"]],
  ["nothing if it has no word", "…", []],
])("a query finds %s", async (_title, query, ids) => {
  const workspace = await service.workspace();
  await addActivities(workspace, RECORDS);
  expect(await readActivityIds(workspace, { query })).toEqual(ids);
});

test.each([
  ["backslashes and letters that look like an escape", { entityData: { file: "C:\\users\\ada" } }],
  ["an escaped control character", { entityData: { text: "\u001b[1m" } }],
  ["U+0000 and a lone surrogate", { entityData: { text: "\0 \ud800" } }],
  ["U+0000 in the message", { displayMessageTemplate: "signed \0 by hand" }],
  ["a word of 3,000 characters", { displayMessageTemplate: `signed ${"x".repeat(3_000)}` }],
  ["more than 64 KiB in the message", { displayMessageTemplate: "signed ".repeat(20_000) }],
  ["more than 64 KiB", { entityData: { text: "x".repeat(66_000) } }],
  ["more than 1 MiB in the message's data", { displayMessageTemplateData: { text: "word ".repeat(300_000) } }],
  ["a number beyond all types", { entityData: { number: 1e300 } }],
])("a query finds a record with %s", async (_title, fields) => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "found", displayMessageTemplate: "signed by hand", ...fields }]);
  expect(await readActivityIds(workspace, { query: "signed" })).toEqual(["found"]);
});

test.each([
  ["a URL with its protocol", "see https://example.com/p/q.html", "https://example.com/p/q.html"],
  ["a composed character by its parts", "caf\u00e9", "cafe\u0301"],
  ["parts of a character by the composed one", "cafe\u0301", "caf\u00e9"],
  ["Greek capitals by small letters", "ΟΔΟΣ", "οδος"],
  ["a text while a second word is typed", "cat", "cat or"],
])("a query finds %s", async (_title, message, query) => {
  const workspace = await workspaceWith({ found: message, other: "dog" });
  expect(await readActivityIds(workspace, { query })).toEqual(["found"]);
});

test("an update that adds any character keeps a record among those that are found", async () => {
  const workspace = await workspaceWith({ found: "signed" });
  const activities = [{ id: "found", entityData: { text: "\\usepackage \0" } }];
  await workspace.data("/v2/activities/update", { organizationId, activities });
  expect(await readActivityIds(workspace, { query: "signed" })).toEqual(["found"]);
});

test("a query is combined with other filters and read in pages, within one organization", async () => {
  const workspace = await workspaceWith({ a: "signed one", b: "signed two", c: "signed three", d: "opened" });
  await addActivities(workspace, [{ id: "e", displayMessageTemplate: "signed" }], { documentId: "other" });
  await addActivities(workspace, [{ id: "f", displayMessageTemplate: "signed" }], { organizationId: "globex" });
  const pages = await readActivityPages(workspace, { query: "signed", documentId: SCOPE.documentId, pageSize: 2 });
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual([["c", "b"], ["a"]]);
  expect(await readActivityIds(workspace, { query: "signed", actionTypes: ["x", activity().actionType] })).toHaveLength(
    4,
  );
});

test("a query finds few records far behind the newest, and pages of many in both orders", async () => {
  const workspace = await workspaceWith({ a: "signed", b: "signed by ada" });
  const ids = Array.from({ length: 600 }, (_, index) => `${index}`);
  for (const part of [ids.slice(0, 300), ids.slice(300)]) {
    await addActivities(
      workspace,
      part.map((id) => ({ id, displayMessageTemplate: "opened" })),
    );
  }
  const getIds = async (filters: { query: string; order: "asc" | "desc" }) => {
    const pages = await readActivityPages(workspace, { ...filters, pageSize: 250 });
    return pages.map((page) => page.map(({ id }) => id));
  };
  expect(await getIds({ query: "signed", order: "desc" })).toEqual([["b", "a"]]);
  for (const [order, opened] of [
    ["asc", ids],
    ["desc", ids.toReversed()],
  ] as const) {
    const parts = [opened.slice(0, 250), opened.slice(250, 500), opened.slice(500)];
    expect(await getIds({ query: "opened", order })).toEqual(parts);
  }
});

test("a query finds the matches among more records than are intersected, in pages of both orders", async () => {
  const workspace = await service.workspace();
  const records = Array.from({ length: 10_500 }, (_, index) => ({
    id: `${index}`,
    displayMessageTemplate: index % 100 === 0 ? "signed" : "opened",
  }));
  for (let from = 0; from < records.length; from += 500) {
    await addActivities(workspace, records.slice(from, from + 500));
  }
  const signed = Array.from({ length: 105 }, (_, index) => `${index * 100}`);
  for (const order of ["asc", "desc"] as const) {
    const pages = await readActivityPages(workspace, { query: "signed", order, pageSize: 40 });
    const ids = order === "asc" ? signed : signed.toReversed();
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([ids.slice(0, 40), ids.slice(40, 80), ids.slice(80)]);
  }
});

test("the words of an updated activity are the new ones", async () => {
  const workspace = await workspaceWith({ a: "drafted" });
  const activities = [{ id: "a", displayMessageTemplate: "signed" }];
  await workspace.data("/v2/activities/update", { organizationId, activities });
  expect(await readActivityIds(workspace, { query: "drafted" })).toEqual([]);
  expect(await readActivityIds(workspace, { query: "signed" })).toEqual(["a"]);
});

test("activities are filtered by their time, with and without other filters", async () => {
  const workspace = await service.workspace();
  await addActivities(
    workspace,
    [1, 2, 3, 4].map((timestamp) => ({ id: String(timestamp), timestamp, displayMessageTemplate: "signed" })),
  );
  const range = { from: 2, to: 4 };
  expect(await readActivityIds(workspace, range)).toEqual(["2", "3"]);
  expect(await readActivityIds(workspace, { ...range, userId: "ada", documentId: SCOPE.documentId })).toEqual([
    "2",
    "3",
  ]);
  const { actionType } = activity();
  expect(await readActivityIds(workspace, { ...range, actionTypes: ["x", actionType] })).toEqual(["2", "3"]);
  expect(await readActivityIds(workspace, { ...range, query: "signed" })).toEqual(["2", "3"]);
  expect(await readActivityIds(workspace, { from: 4, to: 2 })).toEqual([]);
});
