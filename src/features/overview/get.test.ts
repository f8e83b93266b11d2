import { expect, test } from "vitest";
import { addActivities, copyActivity, readActivities, SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { openMailQueue } from "../../../test/mails.ts";
import { runSql } from "../../../test/run-sql.ts";
import type { Api } from "../../operations.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const PATH = "/v2/workspace/overview/get";
const DAY_MS = 24 * 60 * 60 * 1000;
const service = await startOwnTestService();

function read(workspace: TestWorkspace, request: Api[typeof PATH]["request"] = {}) {
  return workspace.data(PATH, request);
}

/** Returns a day in UTC and when it starts. */
function daysAgo(days: number): { day: string; startsAt: number } {
  const day = new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  return { day, startsAt: Date.parse(day) };
}

/** Returns a test that runs once more if it fails because midnight in UTC has passed meanwhile. */
function withinOneDay(run: () => Promise<void>): () => Promise<void> {
  return async () => {
    const { day } = daysAgo(0);
    await run().catch((error: unknown) => {
      if (daysAgo(0).day === day) throw error;
      return run();
    });
  };
}

/** Moves the time of a record into the past. */
async function age(workspace: TestWorkspace, id: string, ms: number): Promise<void> {
  await runSql(
    service.database,
    "update activities set created_at = created_at - $3 where organization_key = $1 and id = $2",
    [organizationKey(workspace.id, SCOPE.organizationId), id, ms],
  );
}

test(
  "a new workspace has no activities, zero counts, and every setup step open",
  withinOneDay(async () => {
    const workspace = await service.workspace({ activityServiceEnabled: false });
    const overview = await read(workspace);
    expect(overview).toEqual({
      activitiesPerDay: Array.from({ length: 14 }, (_, index) => ({
        ...daysAgo(13 - index),
        total: 0,
        featureTypes: {},
      })),
      last24Hours: 0,
      previous24Hours: 0,
      organizations: 0,
      documents: 0,
      users: 0,
      activeUsers: 0,
      queuedJobs: expect.any(Number),
      databaseSizeBytes: expect.any(Number),
      health: expect.any(Object),
      setup: {
        hasSmtp: false,
        hasOwner: false,
        isActivityServiceEnabled: false,
        isEmailServiceEnabled: false,
        hasAllowedDomains: false,
        hasActivities: false,
        publicUrl: null,
      },
    });
  }),
);

test("each setup step is reported once it is done", async () => {
  const server = await startOwnTestService(() => ({
    smtpUrl: "smtp://127.0.0.1:1",
    publicUrl: "https://colloquy.example.com",
    isPublicUrlSet: true,
  }));
  const workspace = await server.workspace();
  await runSql(server.database, "update workspaces set owner_email = 'ada@example.com' where id = $1", [workspace.id]);
  await workspace.data("/v2/workspace/emailconfig/update", { useEmailService: true });
  await workspace.data("/v2/workspace/domains/add", { domains: ["example.com"] });
  await addActivities(workspace, ["first"]);
  expect((await read(workspace)).setup).toEqual({
    hasSmtp: true,
    hasOwner: true,
    isActivityServiceEnabled: true,
    isEmailServiceEnabled: true,
    hasAllowedDomains: true,
    hasActivities: true,
    publicUrl: "https://colloquy.example.com",
  });
});

test("a provider of the workspace is a mail server, as soon as it has a sender and a key", async () => {
  const workspace = await service.publicWorkspace();
  const hasSmtp = async (emailServiceConfig: object) => {
    await workspace.data("/v2/workspace/emailconfig/update", { emailServiceConfig });
    return (await read(workspace)).setup.hasSmtp;
  };
  expect(await hasSmtp({ fromEmail: "notices@example.com" })).toBe(false);
  expect(await hasSmtp({ type: "smtp" })).toBe(false);
  expect(await hasSmtp({ apiKey: "smtp://mail.example.com:587" })).toBe(true);
});

test(
  "activities count on their day in UTC, by feature, for the requested number of days",
  withinOneDay(async () => {
    const workspace = await service.publicWorkspace();
    await addActivities(workspace, ["today", { id: "reaction", featureType: "reaction", actionType: "reaction.add" }]);
    await addActivities(workspace, ["yesterday", "last day", "before"]);
    await copyActivity(service.database, organizationKey(workspace.id, "acme"), "today", 20);
    await age(workspace, "yesterday", DAY_MS);
    await age(workspace, "last day", 2 * DAY_MS);
    await age(workspace, "before", 3 * DAY_MS);
    const today = { ...daysAgo(0), total: 22, featureTypes: { comment: 21, reaction: 1 } };
    const one = (days: number) => ({ ...daysAgo(days), total: 1, featureTypes: { comment: 1 } });
    expect((await read(workspace, { days: 3 })).activitiesPerDay).toEqual([one(2), one(1), today]);
    expect((await read(workspace, { days: 1 })).activitiesPerDay).toEqual([today]);
    const all = (await read(workspace, { days: 90 })).activitiesPerDay;
    expect(all).toHaveLength(90);
    expect(all.slice(-5)).toEqual([expect.objectContaining({ total: 0 }), one(3), one(2), one(1), today]);
    expect((await read(workspace)).setup).toMatchObject({ hasActivities: true });
  }),
);

test("activities count in the last 24 hours, in the 24 hours before, and by hour of up to two days", async () => {
  const workspace = await service.publicWorkspace();
  const timeZone = "Asia/Kathmandu";
  const HOUR_MS = DAY_MS / 24;
  await addActivities(workspace, ["now", "an hour ago", "24 hours ago", "47 hours ago", "48 hours ago"]);
  await age(workspace, "an hour ago", HOUR_MS);
  await age(workspace, "24 hours ago", DAY_MS);
  await age(workspace, "47 hours ago", 47 * HOUR_MS);
  await age(workspace, "48 hours ago", 2 * DAY_MS);
  const overview = await read(workspace, { days: 2, timeZone });
  expect(overview).toMatchObject({ last24Hours: 2, previous24Hours: 2 });
  const hours = overview.activitiesPerHour ?? [];
  expect(hours[0]?.startsAt).toBe(overview.activitiesPerDay[0]?.startsAt);
  expect(((hours[0]?.startsAt ?? 0) / HOUR_MS) % 1).toBe(0.25);
  expect(hours.map(({ startsAt }) => startsAt - (hours[0]?.startsAt ?? 0))).toEqual(
    hours.map((_, index) => index * HOUR_MS),
  );
  const latest = await readActivities(workspace, { activityIds: ["now", "an hour ago"] });
  const theirs = latest.map(({ timestamp }) =>
    hours.find(({ startsAt }) => startsAt <= timestamp && timestamp < startsAt + HOUR_MS),
  );
  expect(theirs).toMatchObject(Array(2).fill({ total: 1, featureTypes: { comment: 1 } }));
  expect((await read(workspace, { days: 3, timeZone })).activitiesPerHour).toBeUndefined();
});

test("users who have acted in the last 30 days are active, whether they have a record or not", async () => {
  const workspace = await service.publicWorkspace();
  const by = (userId: string) => ({ id: userId, actionUser: { userId } });
  await addActivities(workspace, [by("ada"), by("grace"), by("alan")]);
  await addActivities(workspace, [by("ada")], { organizationId: "globex" });
  await age(workspace, "alan", 30 * DAY_MS + 1);
  await workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: "alan" }] });
  expect(await read(workspace)).toMatchObject({ users: 1, activeUsers: 2 });
});

test.each(["Mars/Olympus", "", 7])("the time zone %j is INVALID_ARGUMENT", async (timeZone) => {
  const error = await (await service.publicWorkspace()).error(PATH, { timeZone });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.timeZone must/) });
});

test.each([0, 3_654, 1.5, "14"])("days %j is INVALID_ARGUMENT", async (days) => {
  const error = await (await service.publicWorkspace()).error(PATH, { days });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.days must/) });
});

test(
  "imported activities of the last ten years count on their day",
  withinOneDay(async () => {
    const workspace = await service.publicWorkspace();
    const ages = [0, 400, 3_652, 3_653];
    await addActivities(
      workspace,
      ages.map((days) => ({ timestamp: Date.now() - days * DAY_MS })),
    );
    const { activitiesPerDay } = await read(workspace, { days: 3_653 });
    expect(activitiesPerDay).toHaveLength(3_653);
    expect(activitiesPerDay.filter(({ total }) => total > 0)).toEqual(
      [3_652, 400, 0].map((days) => ({ ...daysAgo(days), total: 1, featureTypes: { comment: 1 } })),
    );
  }),
);

test("organizations, documents and users are counted, and a user of several organizations counts once", async () => {
  const workspace = await service.publicWorkspace();
  await addActivities(workspace, ["a"], { documentId: "one" });
  await addActivities(workspace, ["b"], { documentId: "two" });
  for (const organizationId of ["acme", "globex"]) {
    const users = [{ userId: "ada" }, { userId: `only ${organizationId}` }];
    await workspace.data("/v2/users/add", { organizationId, users });
  }
  expect(await read(workspace)).toMatchObject({ organizations: 2, documents: 2, users: 3 });
});

test(
  "a disabled organization counts without its activities, and a deleted one does not count",
  withinOneDay(async () => {
    const workspace = await service.publicWorkspace();
    for (const organizationId of ["open", "disabled", "deleted"]) {
      await addActivities(workspace, [organizationId], { organizationId });
      await workspace.data("/v2/users/add", { organizationId, users: [{ userId: organizationId }] });
    }
    await workspace.data("/v2/organizations/access/disablestate/update", {
      organizationIds: ["disabled"],
      disabled: true,
    });
    await workspace.data("/v2/organizations/delete", { organizationIds: ["deleted"] });
    const overview = await read(workspace);
    expect(overview).toMatchObject({ organizations: 2, documents: 2, users: 2 });
    expect(overview.activitiesPerDay.at(-1)?.total).toBe(1);
  }),
);

test("the data of other workspaces does not count", async () => {
  const [mine, theirs] = await Promise.all([service.publicWorkspace(), service.publicWorkspace()]);
  await addActivities(theirs, ["theirs"]);
  await theirs.data("/v2/users/add", { organizationId: "acme", users: [{ userId: "ada" }] });
  const overview = await read(mine);
  expect(overview).toMatchObject({ organizations: 0, documents: 0, users: 0, setup: { hasActivities: false } });
  expect(overview.activitiesPerDay.every(({ total }) => total === 0)).toBe(true);
});

test("the size of the database and the queued jobs are reported within seconds", async () => {
  const workspace = await service.publicWorkspace();
  const readJobs = async () => (await workspace.data(PATH, {})).queuedJobs;
  expect(await workspace.data(PATH, {})).toMatchObject({ databaseSizeBytes: expect.any(Number) });
  await expect.poll(readJobs).toBe(0);
  const queueMail = await openMailQueue(service.database);
  const settings = { type: "smtp" as const, apiKey: "smtp://127.0.0.1:1", fromEmail: "notices@example.com" };
  await workspace.data("/v2/workspace/emailconfig/update", {
    useEmailService: true,
    emailServiceConfig: { ...settings, triggers: { "comment.add": true } },
  });
  await queueMail(workspace);
  await expect.poll(readJobs).toBeGreaterThan(0);
});
