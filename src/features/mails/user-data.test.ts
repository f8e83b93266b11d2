import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addAnnotations, comment, type NewComment } from "../../../test/comments.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { allowMails, countMails, insertUnsentMail, readOutbox } from "../../../test/mails.ts";
import {
  deleteUserData,
  deleteUserDataAndWait,
  findRowsContaining,
  untilDeletionDone,
} from "../../../test/user-data.ts";
import { type Sql, sql, uuid } from "../../database/sql.ts";
import { MAIL_TRIGGERS } from "../../email/templates.ts";
import { userKey } from "../tenancy/organization-key.ts";

const service = await startOwnTestService();
const ADA = { userId: "ada-7f3k", name: "Ada", email: "ada@person.example" };
const BOB = { userId: "bob-22xx", name: "Bob", email: "bob@person.example" };
const CAROL = { userId: "carol-1", name: "Carol", email: "carol@person.example" };

async function mailingWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await allowMails(workspace, [...MAIL_TRIGGERS]);
  const users = [ADA, BOB, CAROL].map((user) => ({ ...user, accessRole: "editor" as const }));
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users });
  return workspace;
}

/** Adds comments that each send a mail to a tagged user. */
async function addTaggingComments(
  workspace: TestWorkspace,
  mails: { from: NewComment["from"]; to: string; text: string }[],
): Promise<void> {
  const annotations = mails.map(({ from, to, text }) => {
    const taggedUserContacts = [{ userId: to }];
    return { commentData: [comment({ from, commentText: text, taggedUserContacts })] };
  });
  await addAnnotations(workspace, annotations);
}

test("mails in the outbox that are to the user, by the user or name the user are deleted; others stay", async () => {
  const workspace = await mailingWorkspace();
  await addTaggingComments(workspace, [
    { from: BOB, to: ADA.userId, text: "to Ada" },
    { from: ADA, to: BOB.userId, text: "of Ada" },
    { from: BOB, to: CAROL.userId, text: `${"writing ".repeat(12)}to ${ADA.email.toUpperCase()}` },
    { from: BOB, to: CAROL.userId, text: "of others" },
  ]);
  await expect.poll(() => countMails(service.database, workspace)).toBe(0);
  expect(await readOutbox(service.config.dataDir)).toHaveLength(4);
  const { receipt } = await deleteUserDataAndWait(workspace, [ADA.userId]);
  expect(receipt).toContainEqual({ organizationId: "acme", kind: "mails", deleted: 3, stripped: 0 });
  const left = await readOutbox(service.config.dataDir);
  expect(left.map(({ text }) => text)).toEqual([expect.stringContaining("of others")]);
  const folder = join(service.config.dataDir, "outbox");
  const [file = ""] = await readdir(folder);
  const text = await readFile(join(folder, file), "utf8");
  for (const trace of [ADA.userId, ADA.email, userKey(ADA.userId)]) expect(text).not.toContain(trace);
});

test("queued mails that are to the user, by the user or name the user are deleted; others stay", async () => {
  const workspace = await mailingWorkspace();
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["off"], disabled: false });
  await insertUnsentMail(service.database, workspace, "off", "contract-7");
  await insertUnsentMail(service.database, workspace, "off", "contract-7");
  await service.database.run(
    sql`update mails set other_user_ids = '{ada-7f3k}'
      where id = (select min(id::text)::uuid from mails where workspace_id = ${uuid(workspace.id)})`,
  );
  const { receipt } = await deleteUserDataAndWait(workspace, [ADA.userId]);
  expect(receipt).toContainEqual({ organizationId: "off", kind: "mails", deleted: 1, stripped: 0 });
  expect(await countMails(service.database, workspace)).toBe(1);
  expect(await findRowsContaining(service.database, [ADA.userId, ADA.email])).toEqual([]);
});

test("a test mail to the user belongs to no organization in the receipt of its deletion; others stay", async () => {
  const workspace = await service.workspace();
  for (const organizationIds of [["off"], ["other"]]) {
    await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled: true });
  }
  await workspace.data("/v2/workspace/email/send-test-mail", { email: "ADA@person.example" });
  await workspace.data("/v2/workspace/email/send-test-mail", { email: BOB.email });
  await workspace.data("/v2/users/add", { organizationId: "other", users: [ADA] });
  const { receipt } = await deleteUserDataAndWait(workspace, [ADA.userId]);
  expect(receipt?.filter(({ organizationId }) => organizationId === "")).toEqual(
    ["mailDeliveries", "mails"].map((kind) => ({ organizationId: "", kind, deleted: 1, stripped: 0 })),
  );
  expect(await workspace.data("/v2/workspace/mails/get", {})).toMatchObject([{ kind: "test", address: BOB.email }]);
  const left = await workspace.data("/v2/workspace/outbox/get", {});
  expect(left.map(({ to }) => to)).toEqual([BOB.email]);
});

test("the purge waits for a mail that is being sent", async () => {
  const workspace = await mailingWorkspace();
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["off"], disabled: false });
  await insertUnsentMail(service.database, workspace, "off", "contract-7");
  const setTaken = (takenAt: Sql) =>
    service.database.run(sql`update mails set taken_at = ${takenAt} where workspace_id = ${uuid(workspace.id)}`);
  await setTaken(sql`1`);
  const { jobId } = await deleteUserData(workspace, ["grace"], ["off"]);
  const stage = () => service.database.run(sql`select stage from user_data_deletions where id = ${uuid(jobId)}`);
  await expect.poll(stage).toEqual([{ stage: "purging" }]);
  await setTaken(sql`null`);
  const { receipt } = await untilDeletionDone(workspace, jobId);
  expect(receipt).toEqual(
    ["mailDeliveries", "mails"].map((kind) => ({ organizationId: "off", kind, deleted: 1, stripped: 0 })),
  );
  expect(await countMails(service.database, workspace)).toBe(0);
});
