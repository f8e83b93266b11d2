import { expect, onTestFinished, test } from "vitest";
import { createClient, type StreamEvent } from "../../packages/client/src/index.ts";
import { SharedStreams } from "../../packages/react/src/shared-stream.ts";
import { addAnnotations } from "../comments.ts";
import { workspaceWithDocument } from "../events.ts";
import { eventually } from "../eventually.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { readPresence } from "../presence.ts";
import { tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const { organizationId } = SCOPE;
const DOCUMENTS = "/v2/organizations/documents";
const [FIRST, SECOND, CLOSED] = ["contract-7", "contract-8", "closed"];

/** Creates a workspace with an open and a restricted document besides that of tests, and the streams of ada. */
async function open() {
  const workspace = await workspaceWithDocument(service);
  const documents = [SECOND, CLOSED].map((documentId) => ({ documentId }));
  await workspace.data(`${DOCUMENTS}/add`, { organizationId, documents });
  await restrict(workspace, CLOSED);
  const opened: string[] = [];
  const client = createClient({
    url: service.address,
    getUserToken: () => tokenFor(workspace, "ada"),
    fetch: (input, init) => {
      const { pathname, searchParams } = new URL(String(input));
      if (pathname === "/v2/events/stream") opened.push(searchParams.getAll("documentIds").join());
      return fetch(input, init);
    },
  });
  const streams = new SharedStreams(client);
  /** Follows a document, or the inbox. Returns the subjects of what is reported. */
  function follow(documentId?: string) {
    const [received, errors]: [unknown[], unknown[]] = [[], []];
    const { ready, leave } = streams.follow(
      { organizationId, documentId },
      {
        onEvent: (event: StreamEvent) => {
          if (!event.event.startsWith("presence.") && "subject" in event) received.push(event.subject);
        },
        onError: (error) => errors.push(error),
      },
    );
    onTestFinished(leave);
    return { received, errors, ready, leave };
  }
  return { workspace, follow, opened };
}

function restrict(workspace: TestWorkspace, documentId: string): Promise<unknown> {
  const change = { organizationId, documentIds: [documentId], accessType: "restricted" as const };
  return workspace.data(`${DOCUMENTS}/access/update`, change);
}

async function statusIn(workspace: TestWorkspace, documentId: string) {
  return (await readPresence(workspace, { documentId })).map(({ status }) => status);
}

test("all lists of an organization share one stream, and each is told only what concerns it", async () => {
  const { workspace, follow, opened } = await open();
  const [first, second, again, inbox] = [follow(FIRST), follow(SECOND), follow(FIRST), follow()];
  await Promise.all([first, second, again, inbox].map(({ ready }) => ready));
  await addActivities(workspace, ["one"], { documentId: FIRST });
  await addActivities(workspace, ["two"], { documentId: SECOND });
  await addNotification(workspace, "three", { notifyUsers: [{ userId: "ada" }] });
  await eventually(() => expect(second.received).toContainEqual({ id: "two" }));
  await eventually(() => expect(inbox.received).toContainEqual({ id: "three" }));
  expect(first.received).toContainEqual({ id: "one" });
  expect(again.received).toEqual(first.received);
  expect(first.received).not.toContainEqual({ id: "two" });
  expect(opened).toEqual([`${FIRST},${SECOND}`]);
});

test("a list that begins later misses nothing, and neither do the others", async () => {
  const { workspace, follow } = await open();
  const first = follow(FIRST);
  await first.ready;
  await addActivities(workspace, ["one"], { documentId: FIRST });
  const second = follow(SECOND);
  await second.ready;
  await addActivities(workspace, ["two"], { documentId: SECOND });
  await addActivities(workspace, ["three"], { documentId: FIRST });
  await eventually(() => expect(second.received).toContainEqual({ id: "two" }));
  await eventually(() => expect(first.received).toContainEqual({ id: "three" }));
  expect(first.received).toContainEqual({ id: "one" });
  await eventually(async () => expect(await statusIn(workspace, SECOND)).toEqual(["online"]));
  second.leave();
  await eventually(async () => expect(await statusIn(workspace, SECOND)).toEqual(["offline"]));
  expect(await statusIn(workspace, FIRST)).toEqual(["online"]);
});

test("a document that is refused, at once or later, ends only its own lists", async () => {
  const { workspace, follow } = await open();
  const [first, second, closed] = [follow(FIRST), follow(SECOND), follow(CLOSED)];
  const refused = [expect.objectContaining({ reason: "access_denied" })];
  await eventually(() => expect(closed.errors).toEqual(refused));
  await Promise.all([first.ready, second.ready]);
  await restrict(workspace, SECOND);
  await eventually(() => expect(second.errors).toEqual(refused));
  await addActivities(workspace, ["one"], { documentId: FIRST });
  await eventually(() => expect(first.received).toContainEqual({ id: "one" }));
  expect(first.errors).toEqual([]);
});

test("a list of one document that is refused has the error of the service", async () => {
  const { follow } = await open();
  const closed = follow(CLOSED);
  await eventually(() => expect(closed.errors).toMatchObject([{ reason: "access_denied" }]));
  const again = follow(CLOSED);
  await eventually(() => expect(again.errors).toMatchObject([{ reason: "access_denied" }]));
});

test("the inbox is told of what leaves it, in whichever document", async () => {
  const { workspace, follow } = await open();
  const inbox = follow();
  await inbox.ready;
  await addAnnotations(workspace, [{ annotationId: "a" }], { documentId: SECOND });
  await workspace.data("/v2/commentannotations/delete", { organizationId, documentId: SECOND });
  await eventually(() => expect(inbox.received).toEqual([{ annotationId: "a" }]));
});
