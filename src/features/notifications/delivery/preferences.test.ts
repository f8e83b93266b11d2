import { describe, expect, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { addNotification, addUsers, readList, setConfig } from "../../../../test/notifications.ts";

const service = await startTestService();
const { documentId } = SCOPE;

/** What each kind of user is to a notification of the actor's. */
const KINDS = ["named", "other", "actor", "named actor"] as const;
type Kind = (typeof KINDS)[number];
type Level = "ALL" | "MINE" | "NONE";

/** Whom a notification reaches, by the inbox preference in force and whether it is for all. */
const REACHED: Record<Level, { forAll: Kind[]; forNamed: Kind[] }> = {
  ALL: { forAll: ["named", "other", "named actor"], forNamed: ["named", "named actor"] },
  MINE: { forAll: ["named", "named actor"], forNamed: ["named", "named actor"] },
  NONE: { forAll: [], forNamed: [] },
};

/** Every combination of what can be said for the organization and for the document, and what is in force then. */
const LEVELS: { organization?: Level; document?: Level; inForce: Level }[] = [
  { inForce: "ALL" },
  { organization: "ALL", inForce: "ALL" },
  { organization: "MINE", inForce: "MINE" },
  { organization: "NONE", inForce: "NONE" },
  { document: "ALL", inForce: "ALL" },
  { document: "MINE", inForce: "MINE" },
  { document: "NONE", inForce: "NONE" },
  { organization: "ALL", document: "ALL", inForce: "ALL" },
  { organization: "ALL", document: "MINE", inForce: "MINE" },
  { organization: "ALL", document: "NONE", inForce: "NONE" },
  { organization: "MINE", document: "ALL", inForce: "ALL" },
  { organization: "MINE", document: "MINE", inForce: "MINE" },
  { organization: "MINE", document: "NONE", inForce: "NONE" },
  { organization: "NONE", document: "ALL", inForce: "ALL" },
  { organization: "NONE", document: "MINE", inForce: "MINE" },
  { organization: "NONE", document: "NONE", inForce: "NONE" },
];

/** Two notifications, as one actor is named and the other is not. */
async function reachedBy(workspace: TestWorkspace, notifyAll: boolean | undefined): Promise<Kind[]> {
  const rest = { notifyAll, notifyUsers: [{ userId: "named" }, { userId: "named actor" }] };
  await addNotification(workspace, "from-actor", { ...rest, actionUser: { userId: "actor" } });
  await addNotification(workspace, "from-named-actor", { ...rest, actionUser: { userId: "named actor" } });
  const lists = await Promise.all(KINDS.map((kind) => readList(workspace, kind)));
  return KINDS.filter((kind, index) =>
    lists[index]?.includes(kind === "named actor" ? "from-named-actor" : "from-actor"),
  );
}

describe.each(LEVELS)("organization $organization, document $document", ({ organization, document, inForce }) => {
  test.each([
    ["by default for all", undefined, "forAll"],
    ["for all", true, "forAll"],
    ["for those named", false, "forNamed"],
  ] as const)(`${inForce} is in force: a notification %s reaches whom it should`, async (_title, notifyAll, column) => {
    const workspace = await service.workspace();
    await addUsers(workspace, [...KINDS]);
    if (organization) await setConfig(workspace, [...KINDS], { inbox: organization });
    if (document) await setConfig(workspace, [...KINDS], { inbox: document }, [documentId]);
    expect(await reachedBy(workspace, notifyAll)).toEqual(REACHED[inForce][column]);
  });
});

test("a preference for one document says nothing about another", async () => {
  const workspace = await service.workspace();
  await setConfig(workspace, ["grace"], { inbox: "NONE" }, ["contract-8"]);
  await addNotification(workspace, "n1");
  expect(await readList(workspace, "grace")).toEqual(["n1"]);
});

test("preferences for email and slack keep nothing out of a list; the inbox takes the next level's", async () => {
  const workspace = await service.workspace();
  await setConfig(workspace, ["grace"], { email: "NONE", slack: "NONE" }, [documentId]);
  await addNotification(workspace, "reaches");
  await setConfig(workspace, ["grace"], { inbox: "NONE" });
  await addNotification(workspace, "does-not");
  expect(await readList(workspace, "grace")).toEqual(["reaches"]);
});

test("a preference set later leaves in the lists what they hold, and out of them what it kept out", async () => {
  const workspace = await service.workspace();
  await addNotification(workspace, "n1");
  await setConfig(workspace, ["grace"], { inbox: "NONE" });
  await addNotification(workspace, "n2");
  await setConfig(workspace, ["grace"], { inbox: "ALL" });
  await addNotification(workspace, "n3");
  expect(await readList(workspace, "grace")).toEqual(["n1", "n3"]);
});

test("one for all reaches users of the organization, not somebody who was once named", async () => {
  const workspace = await service.workspace();
  await addUsers(workspace, ["member"]);
  await addNotification(workspace, "n1", { notifyUsers: [{ userId: "guest" }] });
  await addNotification(workspace, "n2", { notifyAll: true });
  expect(await readList(workspace, "guest")).toEqual(["n1"]);
  expect(await readList(workspace, "member")).toEqual(["n2"]);
});

test("who comes to the organization later, or has left it, does not hear of what is for all", async () => {
  const workspace = await service.workspace();
  await addUsers(workspace, ["stays", "leaves"]);
  const { organizationId } = SCOPE;
  await workspace.data("/v2/users/delete", { organizationId, userIds: ["leaves"] });
  await addNotification(workspace, "n1", { notifyAll: true });
  await addUsers(workspace, ["comes"]);
  const lists = ["stays", "leaves", "comes"].map((userId) => readList(workspace, userId));
  expect(await Promise.all(lists)).toEqual([["n1"], [], []]);
});

test("one for all reaches nobody of another organization or workspace", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  await addUsers(workspace, ["grace"], "globex");
  await addUsers(other, ["grace"]);
  await addNotification(workspace, "n1", { notifyUsers: [], notifyAll: true });
  expect(await readList(workspace, "grace", { organizationId: "globex" })).toEqual([]);
  expect(await readList(other, "grace")).toEqual([]);
});

test("10,000 users hear of one notification in one call", async () => {
  const workspace = await service.workspace();
  const userIds = Array.from({ length: 10_000 }, (_, number) => `user-${number}`);
  for (let from = 0; from < userIds.length; from += 500) await addUsers(workspace, userIds.slice(from, from + 500));
  await addNotification(workspace, "n1", { notifyAll: true });
  expect(await Promise.all(["user-0", "user-9999", "grace"].map((userId) => readList(workspace, userId)))).toEqual([
    ["n1"],
    ["n1"],
    ["n1"],
  ]);
});
