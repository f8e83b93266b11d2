import { expect, test } from "vitest";
import { addAnnotations, addComments } from "../../../test/comments.ts";
import { getEvents } from "../../../test/events.ts";
import { readActivities, SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { untilWaiting } from "../../../test/lock-waits.ts";
import { type MailServer, startMailServer } from "../../../test/mail-server.ts";
import { allowMails, countMails } from "../../../test/mails.ts";
import { readNotifications } from "../../../test/notifications.ts";
import { runSql } from "../../../test/run-sql.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

let server: MailServer | undefined;
const service = await startOwnTestService(async () => {
  server = await startMailServer();
  return { smtpUrl: server.url, databasePoolMax: 10 };
});

const ORGANIZATION_IDS = ["acme", "globex"];
const ANNOTATION_IDS = ["a", "b", "c"];
const ROUNDS = [0, 1, 2, 3];
/** Comments of an organization: in each round one on each annotation, all at the same moment. */
const COMMENTS = ROUNDS.flatMap((round) => ANNOTATION_IDS.map((annotationId) => `comment ${round}-${annotationId}`));

interface Tenant {
  workspace: TestWorkspace;
  organizationId: string;
  /** Occurs in every text and address of the tenant. */
  mark: string;
}

/** Creates an organization with grace, who is assigned to three annotations, in a workspace that sends mails. */
async function createTenant(workspace: TestWorkspace, organizationId: string): Promise<Tenant> {
  const mark = `${organizationId}.${workspace.id}`;
  const users = [{ userId: "grace", email: `grace@${mark}.example.com`, accessRole: "editor" as const }];
  await workspace.data("/v2/users/add", { organizationId, users });
  const annotations = ANNOTATION_IDS.map((annotationId) => ({ annotationId, assignedTo: { userId: "grace" } }));
  await addAnnotations(workspace, annotations, { organizationId });
  return { workspace, organizationId, mark };
}

/** Creates two organizations in each of two workspaces. All have the same IDs of users, documents and annotations. */
async function createTenants(): Promise<Tenant[]> {
  const workspaces = await Promise.all([service.workspace(), service.workspace()]);
  await Promise.all(workspaces.map((workspace) => allowMails(workspace, ["comment.add"])));
  return Promise.all(
    workspaces.flatMap((workspace) =>
      ORGANIZATION_IDS.map((organizationId) => createTenant(workspace, organizationId)),
    ),
  );
}

/** Returns the texts of comments in anything that was read, sorted. */
function textsIn(read: unknown[]): string[] {
  return read.map((item) => /comment \d-\w of [\w.-]+/.exec(JSON.stringify(item))?.[0] ?? "none").sort();
}

test("comments that organizations add at the same moment reach only their own users, events and mails", async () => {
  const tenants = await createTenants();
  const cursors = await Promise.all(
    tenants.map(async ({ workspace, organizationId }) => (await getEvents(workspace, { organizationId })).cursor),
  );
  for (const round of ROUNDS) {
    const calls = tenants.flatMap((tenant) => ANNOTATION_IDS.map((annotationId) => ({ ...tenant, annotationId })));
    await Promise.all(
      calls.map(({ workspace, organizationId, mark, annotationId }) => {
        const commentText = `comment ${round}-${annotationId} of ${mark}`;
        const commentData = [{ commentText, triggerActivities: true, triggerNotification: true }];
        return addComments(workspace, commentData, { organizationId, annotationId });
      }),
    );
  }
  for (const { workspace } of tenants) await expect.poll(() => countMails(service.database, workspace)).toBe(0);

  for (const [index, { workspace, organizationId, mark }] of tenants.entries()) {
    const notifications = await readNotifications(workspace, { organizationId, documentId: SCOPE.documentId });
    const inbox = await readNotifications(workspace, { organizationId, userId: "grace" });
    const activities = await readActivities(workspace, { organizationId });
    const { events } = await getEvents(workspace, { organizationId, cursor: cursors[index] });
    const selectEvents = (kind: string) => events.filter(({ event }) => event === kind);
    const mails = (server?.mails ?? []).filter(({ to }) => to.includes(`grace@${mark}.example.com`));
    const expected = COMMENTS.map((name) => `${name} of ${mark}`).sort();
    const ownMetadata = { apiKey: workspace.apiKey, organizationId, documentId: SCOPE.documentId };

    expect(textsIn(notifications)).toEqual(expected);
    expect(textsIn(inbox)).toEqual(expected);
    expect(textsIn(activities)).toEqual(expected);
    for (const kind of ["comment.add", "notification.add", "activity.add"]) {
      expect(textsIn(selectEvents(kind)), kind).toEqual(expected);
    }
    expect(textsIn(mails.map(({ parsed }) => parsed.text))).toEqual(expected);
    for (const { metadata } of [...notifications, ...inbox, ...activities]) expect(metadata).toMatchObject(ownMetadata);
    const others = tenants.filter((tenant) => tenant.mark !== mark).map((tenant) => tenant.mark);
    const apiKeys = tenants.map((tenant) => tenant.workspace.apiKey).filter((apiKey) => apiKey !== workspace.apiKey);
    const everything = JSON.stringify([notifications, inbox, activities, events, mails]);
    expect([...others, ...apiKeys].filter((foreign) => everything.includes(foreign))).toEqual([]);
  }
});

/** Returns when each transaction began that now locks annotations. A transaction would see the same ones each time. */
async function readLockingTransactions(): Promise<string[]> {
  const rows = await runSql<{ begun: string }>(
    service.database,
    `select xact_start::text as begun from pg_stat_activity
     where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
       and query like 'select%last_comment_id%'`,
  );
  return rows.map(({ begun }) => begun);
}

/** Connections that an organization may use of the ten of the service. */
const MAX_LOCKED = 7;

test("a lock on an annotation of one organization delays no comment of another", async () => {
  const [locked, free] = await createTenants();
  if (!locked || !free) throw new Error("There are no tenants.");
  const { waiting } = await service.database.transaction(async (transaction) => {
    const key = organizationKey(locked.workspace.id, locked.organizationId);
    const lock = "select from comment_annotations where organization_key = $1 and id = 'a' for update";
    await runSql(transaction, lock, [key]);
    // More comments than the service has database connections, all of one caller.
    const comments = Array.from({ length: 12 }, () =>
      addComments(locked.workspace, [{}], { organizationId: locked.organizationId }),
    );
    await untilWaiting(service.database, MAX_LOCKED);
    const before = await readLockingTransactions();
    await addComments(free.workspace, [{}], { organizationId: free.organizationId });
    const after = await readLockingTransactions();
    expect(after).toEqual(expect.arrayContaining(before));
    return { waiting: Promise.all(comments) };
  });
  expect((await waiting).flat()).toHaveLength(12);
});
