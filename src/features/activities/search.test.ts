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

test("records that no index can contain are stored, and found by other filters only", async () => {
  const messages = { control: "signed \u0000 \u0001", surrogate: "signed \ud800", large: "signed ".repeat(20_000) };
  const workspace = await workspaceWith({ ...messages, long: `signed ${"x".repeat(3_000)}` });
  expect(await readActivityIds(workspace, { query: "signed" })).toEqual(["long"]);
  expect(await readActivityIds(workspace)).toEqual([...Object.keys(messages), "long"]);
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
