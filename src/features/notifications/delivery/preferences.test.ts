import { describe, expect, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { addNotification, addUsers, readInbox, setConfig } from "../../../../test/notifications.ts";

const service = await startTestService();
const { documentId } = SCOPE;

/** Relations of users to a notification of the actor. */
const RELATIONS = ["named", "other", "actor", "named actor"] as const;
type Kind = (typeof RELATIONS)[number];
type Preference = "ALL" | "MINE" | "NONE";

/** Users whom a notification reaches, by the effective inbox preference and by notifyAll. */
const REACHED: Record<Preference, { forAll: Kind[]; forNamed: Kind[] }> = {
  ALL: { forAll: ["named", "other", "named actor"], forNamed: ["named", "named actor"] },
  MINE: { forAll: ["named", "named actor"], forNamed: ["named", "named actor"] },
  NONE: { forAll: [], forNamed: [] },
};

/** All combinations of preferences for the organization and the document, with the effective preference. */
const CASES: { organization?: Preference; document?: Preference; effective: Preference }[] = [
  { effective: "ALL" },
  { organization: "ALL", effective: "ALL" },
  { organization: "MINE", effective: "MINE" },
  { organization: "NONE", effective: "NONE" },
  { document: "ALL", effective: "ALL" },
  { document: "MINE", effective: "MINE" },
  { document: "NONE", effective: "NONE" },
  { organization: "ALL", document: "ALL", effective: "ALL" },
  { organization: "ALL", document: "MINE", effective: "MINE" },
  { organization: "ALL", document: "NONE", effective: "NONE" },
  { organization: "MINE", document: "ALL", effective: "ALL" },
  { organization: "MINE", document: "MINE", effective: "MINE" },
  { organization: "MINE", document: "NONE", effective: "NONE" },
  { organization: "NONE", document: "ALL", effective: "ALL" },
  { organization: "NONE", document: "MINE", effective: "MINE" },
  { organization: "NONE", document: "NONE", effective: "NONE" },
];

/** Adds two notifications, one whose actor is named and one whose actor is not. */
async function reachedBy(workspace: TestWorkspace, notifyAll: boolean | undefined): Promise<Kind[]> {
  const rest = { notifyAll, notifyUsers: [{ userId: "named" }, { userId: "named actor" }] };
  await addNotification(workspace, "from-actor", { ...rest, actionUser: { userId: "actor" } });
  await addNotification(workspace, "from-named-actor", { ...rest, actionUser: { userId: "named actor" } });
  const lists = await Promise.all(RELATIONS.map((kind) => readInbox(workspace, kind)));
  return RELATIONS.filter((kind, index) =>
    lists[index]?.includes(kind === "named actor" ? "from-named-actor" : "from-actor"),
  );
}

describe.each(CASES)("organization $organization, document $document", ({ organization, document, effective }) => {
  test.each([
    ["by default for all", undefined, "forAll"],
    ["for all", true, "forAll"],
    ["for named users", false, "forNamed"],
  ] as const)(`${effective} applies: a notification %s reaches the right users`, async (_title, notifyAll, column) => {
    const workspace = await service.publicWorkspace();
    await addUsers(workspace, [...RELATIONS]);
    if (organization) await setConfig(workspace, [...RELATIONS], { inbox: organization });
    if (document) await setConfig(workspace, [...RELATIONS], { inbox: document }, [documentId]);
    expect(await reachedBy(workspace, notifyAll)).toEqual(REACHED[effective][column]);
  });
});

test("a preference for one document does not apply to another", async () => {
  const workspace = await service.publicWorkspace();
  await setConfig(workspace, ["grace"], { inbox: "NONE" }, ["contract-8"]);
  await addNotification(workspace, "n1");
  expect(await readInbox(workspace, "grace")).toEqual(["n1"]);
});

test("preferences for email and slack do not affect the inbox, which inherits from the organization", async () => {
  const workspace = await service.publicWorkspace();
  await setConfig(workspace, ["grace"], { email: "NONE", slack: "NONE" }, [documentId]);
  await addNotification(workspace, "reaches");
  await setConfig(workspace, ["grace"], { inbox: "NONE" });
  await addNotification(workspace, "does-not");
  expect(await readInbox(workspace, "grace")).toEqual(["reaches"]);
});

test("a preference does not change inboxes retroactively", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "n1");
  await setConfig(workspace, ["grace"], { inbox: "NONE" });
  await addNotification(workspace, "n2");
  await setConfig(workspace, ["grace"], { inbox: "ALL" });
  await addNotification(workspace, "n3");
  expect(await readInbox(workspace, "grace")).toEqual(["n1", "n3"]);
});

test("notifyAll reaches users of the organization, but not users who were only named once", async () => {
  const workspace = await service.publicWorkspace();
  await addUsers(workspace, ["member"]);
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "guest" }] });
  await addNotification(workspace, "n2", { notifyAll: true });
  expect(await readInbox(workspace, "guest")).toEqual(["n1"]);
  expect(await readInbox(workspace, "member")).toEqual(["n2"]);
});

test("notifyAll does not reach users who join later or have left", async () => {
  const workspace = await service.publicWorkspace();
  await addUsers(workspace, ["stays", "leaves"]);
  const { organizationId } = SCOPE;
  await workspace.data("/v2/users/delete", { organizationId, userIds: ["leaves"] });
  await addNotification(workspace, "n1", { notifyAll: true });
  await addUsers(workspace, ["comes"]);
  const lists = ["stays", "leaves", "comes"].map((userId) => readInbox(workspace, userId));
  expect(await Promise.all(lists)).toEqual([["n1"], [], []]);
});

test("notifyAll reaches no user of another organization or workspace", async () => {
  const [workspace, other] = await Promise.all([service.publicWorkspace(), service.publicWorkspace()]);
  await addUsers(workspace, ["grace"], "globex");
  await addUsers(other, ["grace"]);
  await addNotification(workspace, "n1", { notifyUsers: [], notifyAll: true });
  expect(await readInbox(workspace, "grace", { organizationId: "globex" })).toEqual([]);
  expect(await readInbox(other, "grace")).toEqual([]);
});

test("one call notifies 10,000 users", async () => {
  const workspace = await service.publicWorkspace();
  const userIds = Array.from({ length: 10_000 }, (_, number) => `user-${number}`);
  for (let from = 0; from < userIds.length; from += 500) await addUsers(workspace, userIds.slice(from, from + 500));
  await addNotification(workspace, "n1", { notifyAll: true });
  expect(await Promise.all(["user-0", "user-9999", "grace"].map((userId) => readInbox(workspace, userId)))).toEqual([
    ["n1"],
    ["n1"],
    ["n1"],
  ]);
});
