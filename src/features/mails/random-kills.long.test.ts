import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAnnotations } from "../../../test/comments.ts";
import { SCOPE } from "../../../test/factories.ts";
import { createTestDatabase } from "../../../test/harness.ts";
import { getAddress, loggedAddresses, MailCrashTest, RECIPIENTS, readLedger } from "../../../test/mail-crash-test.ts";
import { countMails, readOutbox } from "../../../test/mails.ts";
import { Random } from "../../../test/random.ts";
import { SEED } from "../../../test/seed.ts";
import { deleteUserData, findRowsContaining } from "../../../test/user-data.ts";
import { sql, uuid } from "../../database/sql.ts";
import { userKey } from "../tenancy/organization-key.ts";

const KILLS = 20;
const MAILS = 500;
const COMMENTS = Math.ceil(MAILS / RECIPIENTS.length);
/** Number of mails that a process sends at the same time. */
const CONCURRENT_MAILS = 4;
const ADA = { userId: "ada-7f3k", name: "Ada", email: "ada@person.example" };

const { database, connectionString } = await createTestDatabase();

/** Adds comments, a few between two kills, until `kills` has resolved. */
async function addCommentsDuring(
  kills: Promise<void>,
  { server }: MailCrashTest,
  write: (number: number) => Promise<void>,
) {
  for (let number = 0; number < COMMENTS; number++) {
    await write(number);
    if (number % Math.ceil(COMMENTS / KILLS) === 0) await Promise.race([server.nextEvents(20), kills]);
  }
  await kills;
}

test(`over ${KILLS} kills each mail is sent at most once, every lost one logged (TEST_SEED=${SEED})`, async () => {
  const running = await MailCrashTest.start(connectionString, database, new Random(SEED));
  const { server } = running;
  const workspace = await running.workspace("server");
  const accepted: number[] = [];
  await addCommentsDuring(running.killRepeatedly(KILLS), running, async (number) => {
    if (await running.addComment(workspace, number)) accepted.push(number);
  });
  await running.finish(() => countMails(database, workspace));

  const annotations = await readAnnotations(running.at(workspace));
  const kept = annotations.map(({ annotationId }) => Number(annotationId.replace("annotation-", "")));
  expect(kept).toEqual(expect.arrayContaining(accepted));
  const ledger = await readLedger(database, workspace);
  const queued = [...ledger.values()].sort();
  expect(queued).toEqual(kept.flatMap((number) => RECIPIENTS.map((name) => getAddress(name, number))).sort());

  const arrived = server.accepted.map(({ to }) => to);
  expect(new Set(server.accepted.map(({ messageId }) => messageId)).size, "accepted twice").toBe(arrived.length);
  expect(new Set(arrived).size, "accepted twice").toBe(arrived.length);
  expect(queued).toEqual(expect.arrayContaining(arrived));
  const rejected = loggedAddresses(running.log, ledger, "rejected");
  const uncertain = loggedAddresses(running.log, ledger, "uncertain");
  const accountedFor = new Set([...arrived, ...rejected, ...uncertain]);
  expect(
    queued.filter((address) => !accountedFor.has(address)),
    "lost",
  ).toEqual([]);

  expect([...server.rejected]).toEqual(expect.arrayContaining(rejected));
  const uncertainAfterKills = loggedAddresses(
    running.log,
    ledger,
    "uncertain",
    "the process that was sending it has ended",
  );
  expect(uncertainAfterKills.length).toBeLessThanOrEqual(CONCURRENT_MAILS * (KILLS + running.processes.length));
  const otherUncertain = uncertain.filter((address) => !uncertainAfterKills.includes(address));
  expect([...server.lost]).toEqual(expect.arrayContaining(otherUncertain));
  expect(running.log).not.toMatch(/"outcome":"(expired|canceled)"/);
});

const TRACES = [ADA.userId, ADA.email, userKey(ADA.userId)];

/** Fields of comments in turn: by Ada, tagging Ada, containing her address, and unrelated to her. */
const COMMENT_FIELDS = [
  { from: ADA },
  { from: { userId: "bob" }, tagged: [{ userId: ADA.userId }] },
  { from: { userId: "bob" }, commentText: `ask ${ADA.email}` },
  undefined,
];

async function readFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "latin1")));
  return texts.map((text) => text.replaceAll("=\n", ""));
}

test(`over ${KILLS} kills only a deleted user gets no mail after the deletion (TEST_SEED=${SEED})`, async () => {
  const running = await MailCrashTest.start(connectionString, database, new Random(SEED));
  const { server } = running;
  const workspaces = [await running.workspace("server"), await running.workspace("outbox")] as const;
  const others: number[] = [];
  const adaRecipients = new Set([ADA.email]);
  for (const workspace of workspaces) {
    const users = [{ ...ADA, accessRole: "editor" as const }];
    await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users });
  }
  const chaos = running.killRepeatedly(KILLS);
  await addCommentsDuring(chaos, running, async (number) => {
    const fields = number < COMMENTS / 2 ? COMMENT_FIELDS[number % COMMENT_FIELDS.length] : undefined;
    const responses = await Promise.all(workspaces.map((workspace) => running.addComment(workspace, number, fields)));
    if (fields) for (const name of RECIPIENTS) adaRecipients.add(getAddress(name, number));
    if (!fields && responses.every((isAnswered) => isAnswered)) others.push(number);
    if (number !== Math.floor(COMMENTS / 2)) return;
    for (const workspace of workspaces) {
      while (!(await running.call(workspace, (at) => deleteUserData(at, [ADA.userId])))) {}
    }
  });
  await running.finish(async () => {
    const [sending, filing] = workspaces;
    const deletions = await database.run(sql`select from user_data_deletions where stage <> 'done'`);
    return deletions.length + (await countMails(database, sending)) + (await countMails(database, filing));
  });

  const [completion] = await database.run(
    sql<{ at: number }>`select last_task_completed_at as at from user_data_deletions
        where workspace_id = ${uuid(workspaces[0].id)} order by at limit 1`,
  );
  const completedAt = completion?.at ?? 0;
  const after = server.accepted.filter(({ acceptedAt }) => acceptedAt > completedAt).map(({ to }) => to);
  const files = await readFiles(join(running.dataDir, "outbox"));
  const isOfAda = (text: string) => TRACES.some((trace) => text.includes(trace));
  expect(
    after.filter((address) => adaRecipients.has(address)),
    "sent after the completion",
  ).toEqual([]);
  expect(files.filter(isOfAda), "kept in the outbox").toEqual([]);
  expect(await findRowsContaining(database, TRACES)).toEqual([]);

  const inOutbox = (await readOutbox(running.dataDir)).map(({ to }) => to?.[0]?.address ?? "");
  const arrivals = [server.accepted.filter(({ to }) => to !== ADA.email).map(({ to }) => to), inOutbox];
  for (const [index, workspace] of workspaces.entries()) {
    const ledger = await readLedger(database, workspace);
    const arrived = arrivals[index] ?? [];
    expect(new Set(arrived).size, "sent twice").toBe(arrived.length);
    const givenUp = ["rejected", "uncertain"].flatMap((outcome) => loggedAddresses(running.log, ledger, outcome));
    const accountedFor = new Set([...arrived, ...givenUp]);
    const expected = others.flatMap((number) => RECIPIENTS.map((name) => getAddress(name, number)));
    expect(
      expected.filter((address) => !accountedFor.has(address)),
      "lost",
    ).toEqual([]);
  }
  const ofAda = server.accepted.filter(({ to }) => to === ADA.email).map(({ messageId }) => messageId);
  expect(new Set(ofAda).size).toBe(ofAda.length);
});
