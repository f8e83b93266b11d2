import { expect, test } from "vitest";
import { activity } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { deleteUserDataAndWait, findRowsContaining } from "../../../test/user-data.ts";

const service = await startOwnTestService();
const ID = "auth0|77123";
const PLACE = { organizationId: "acme", documentId: "contract-7" };
const TAGGED = { from: { userId: "bob" }, commentText: "Ask ada@tag.example" };

/** Writes records of another user with these spellings of an address or ID in values, texts, URLs and keys. */
async function writeSpellings(workspace: TestWorkspace, spellings: string[]): Promise<void> {
  for (const [index, spelling] of spellings.entries()) {
    const url = `https://app.example/settings?user=${spelling}&page=2`;
    const comment = { commentText: `see ${url}`, attachments: [{ url }, { url: spelling }] };
    const pairs = { context: { access: { [spelling.replaceAll(":", "")]: spelling, team: "x" } } };
    await workspace.data("/v2/commentannotations/add", {
      ...PLACE,
      commentAnnotations: [{ ...pairs, pageInfo: { url }, commentData: [{ from: { userId: "bob" }, ...comment }] }],
    });
    await workspace.data("/v2/notifications/add", {
      ...PLACE,
      ...{ actionUser: { userId: "bob" }, notifyUsers: [{ userId: "eve" }] },
      ...{ notificationSource: spelling, displayBodyMessage: url, displayHeadlineMessageTemplate: url, ...pairs },
    });
    const about = { entityData: { url, [spelling]: [spelling] }, displayMessageTemplate: url };
    const activities = [activity({ id: `a${index}`, actionUser: { userId: "bob" }, ...about })];
    await workspace.data("/v2/activities/add", { ...PLACE, activities });
  }
}

test("percent-encoded IDs and addresses leave no trace anywhere in records of others", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/users/add", {
    organizationId: "acme",
    users: [{ userId: ID, email: "p+q@person.example" }],
  });
  const spellings = ["auth0%7C77123", "auth0%257c77123", "p%2Bq%40person.example", "p+q%40PERSON.example", ID];
  await writeSpellings(workspace, spellings);
  const traces = ["77123", "person.example", "PERSON.example"];
  expect(await findRowsContaining(service.database, traces)).not.toEqual([]);
  await deleteUserDataAndWait(workspace, [ID]);
  expect(await findRowsContaining(service.database, traces)).toEqual([]);
});

test("addresses that the users had before, and addresses next to their IDs, are deleted too", async () => {
  const mentioning = "mail ada@first-former.example, ADA@second-former.example or ada@third-former.example";
  const workspace = await service.workspace();
  const add = (email: string) =>
    workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: "ada", email }] });
  await add("ada@first-former.example");
  await add("Ada@second-former.example");
  const users = [{ userId: "ada", email: "ada@third-former.example" }];
  await workspace.data("/v2/users/update", { organizationId: "acme", users });
  const other = activity({ id: "a", actionUser: { userId: "bob" }, displayMessageTemplate: mentioning });
  await workspace.data("/v2/activities/add", { organizationId: "umbrella", documentId: "d", activities: [other] });
  const tag = { text: "@Ada", userId: "ada", contact: { email: "ada@tag-former.example" } };
  await workspace.data("/v2/commentannotations/add", {
    ...PLACE,
    commentAnnotations: [{ commentData: [{ ...TAGGED, taggedUserContacts: [tag] }] }],
  });
  const traces = ["first-former.example", "second-former.example", "third-former.example", "tag-former.example"];
  expect(await findRowsContaining(service.database, traces)).not.toEqual([]);
  await deleteUserDataAndWait(workspace, ["ada"]);
  expect(await findRowsContaining(service.database, traces)).toEqual([]);
});

test("an address that only a tag names is deleted everywhere, unless another user has it", async () => {
  const workspace = await service.workspace();
  const users = [{ userId: "eve", email: "eve@only.example", accessRole: "viewer" as const }];
  await workspace.data("/v2/users/add", { organizationId: "acme", users });
  const tag = (userId: string, email: string) => ({ text: `@${userId}`, userId, contact: { email } });
  const tagging = (email: string) => ({
    ...{
      from: { userId: "bob" },
      triggerNotification: true,
      commentText: "Ask ada@ONLY-tag.example or eve@only.example",
    },
    taggedUserContacts: [tag("ada", email), tag("eve", "eve@only.example")],
  });
  await workspace.data("/v2/commentannotations/add", {
    ...PLACE,
    commentAnnotations: [{ commentData: [tagging("Ada@only-tag.example"), tagging("eve@only.example")] }],
  });
  expect(await findRowsContaining(service.database, ["only-tag"])).not.toEqual([]);
  await deleteUserDataAndWait(workspace, ["ada"]);
  expect(await findRowsContaining(service.database, ["only-tag"])).toEqual([]);
  const inbox = JSON.stringify(
    await workspace.data("/v2/notifications/get", { organizationId: "acme", userId: "eve" }),
  );
  expect(inbox).toContain("eve@only.example");
});

test("events of others keep no user in the texts of a status or in the pairs of an access context", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/events/get", { organizationId: "acme" });
  const status = { id: "waiting", name: "Waits for trace-77", iconUrl: "https://app.example/trace-77.png" };
  const context = { access: { owner: "trace-77" } };
  await workspace.data("/v2/commentannotations/add", {
    ...PLACE,
    commentAnnotations: [{ annotationId: "a", context, commentData: [{ from: { userId: "bob" }, commentText: "x" }] }],
  });
  const place = { ...PLACE, annotationIds: ["a"] };
  await workspace.data("/v2/commentannotations/update", { ...place, updatedData: { status } });
  await workspace.data("/v2/commentannotations/delete", place);
  expect(await findRowsContaining(service.database, ["trace-77"])).not.toEqual([]);
  await deleteUserDataAndWait(workspace, ["trace-77"]);
  expect(await findRowsContaining(service.database, ["trace-77"])).toEqual([]);
});
