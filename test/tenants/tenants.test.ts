import { expect, test } from "vitest";
import { operations } from "../../src/operations.ts";
import { eventually } from "../eventually.ts";
import { startOwnTestService } from "../harness.ts";
import { CHANGES, COMMENT_CHANGES, DELAYED_COMMENTS, LATER_CHANGES } from "./changes.ts";
import { comparable, foreignIn, sharedIds } from "./comparable.ts";
import { DELETIONS, JOBS } from "./deletions.ts";
import { countRequests, getWebhooks, type Reading, readAll, receiveAll } from "./gather.ts";
import { lostOrRepeated } from "./model.ts";
import { READS } from "./reads.ts";
import { RECORDS, USERS } from "./records.ts";
import { ADDITIONS, CHANGED_ENDPOINTS, delayingNotifications, MAILS, SETTINGS } from "./settings.ts";
import { deliverDelayed, settle } from "./settle.ts";
import { createSpace } from "./space.ts";
import { openStreams } from "./streams.ts";
import type { Space } from "./tenant.ts";
import { runAlone, runTogether, type Stage } from "./write.ts";

const ADDING = [
  ...[SETTINGS, MAILS, ADDITIONS, USERS, RECORDS, CHANGED_ENDPOINTS, CHANGES, LATER_CHANGES, COMMENT_CHANGES],
  ...[delayingNotifications(true), DELAYED_COMMENTS, delayingNotifications(false)],
];
const DELETING = [DELETIONS, JOBS];

/** A workspace, with everything that it and its tenants can read and have received. */
interface Gathered {
  space: Space;
  readings: Reading[];
  received: Reading[];
}

const service = await startOwnTestService(() => ({ allowPrivateAddresses: true, databasePoolMax: 10 }));
const addresses = [service.address, (await service.secondProcess()).address];

/** Sends all writes and waits for the jobs, mails and webhooks. Returns what the workspaces have then. */
async function fill(names: string[], run: (spaces: Space[], stage: Stage) => Promise<void>): Promise<Gathered[]> {
  const { database, config } = service;
  const opened: { space: Space; streams: Awaited<ReturnType<typeof openStreams>> }[] = [];
  for (const name of names) {
    const space = await createSpace(service, name, addresses);
    opened.push({ space, streams: await openStreams(space) });
  }
  const spaces = opened.map(({ space }) => space);
  for (const stage of ADDING) await run(spaces, stage);
  await deliverDelayed(database, spaces);
  await settle(database);
  for (const stage of DELETING) await run(spaces, stage);
  await settle(database);
  const gathered: Gathered[] = [];
  for (const { space, streams } of opened) {
    const readings = await readAll(space);
    gathered.push({ space, readings, received: await receiveAll(space, streams, config.dataDir) });
  }
  return gathered;
}

const gathered: Gathered[] = [];

function buildTexts({ space }: Gathered, readings: Reading[]): [string, unknown][] {
  return readings.map(({ name, data }) => [name, comparable(space, data)]);
}

function getMails({ received }: Gathered): Reading {
  return received.find(({ name }) => name === "mails") ?? expect.fail();
}

test("every operation is listed among those that write or read", () => {
  const listed = [...[...ADDING, ...DELETING].flatMap(({ writes }) => writes), ...READS].map(({ path }) => path);
  expect([...new Set<string>(listed)].sort()).toEqual(operations.map(({ path }) => path).sort());
});

test("a workspace that has the service for itself keeps each record once", async () => {
  const [alone = expect.fail()] = await fill(["space0"], async ([space = expect.fail()], stage) =>
    runAlone(space, stage),
  );
  gathered.push(alone);
  expect(lostOrRepeated(alone.space, [...alone.readings, ...alone.received])).toEqual([]);
});

test("tenants that write at the same moment read exactly what each would read alone", async () => {
  const [alone = expect.fail()] = gathered;
  const together = await fill(["space1", "space2"], runTogether);
  gathered.push(...together);
  for (const one of together) {
    expect.soft(lostOrRepeated(one.space, [...one.readings, ...one.received])).toEqual([]);
    const expected = new Map(buildTexts(alone, [...alone.readings, getMails(alone)]));
    for (const [name, data] of buildTexts(one, [...one.readings, getMails(one)])) {
      expect.soft(data, `${one.space.name} reads ${name}`).toEqual(expected.get(name));
    }
    expect
      .soft(comparable(one.space, getWebhooks(one.space)))
      .toEqual(comparable(alone.space, getWebhooks(alone.space)));
    await eventually(async () => expect(await countRequests(one.space)).toEqual(await countRequests(alone.space)));
  }
});

test("no tenant reads or receives anything of another one", () => {
  const everything = gathered.map(({ space, readings, received }) => ({ space, all: [...readings, ...received] }));
  const spaces = gathered.map(({ space }) => space);
  const foreign = everything.flatMap(({ space, all }) => {
    const others = spaces.filter((other) => other !== space);
    return all.flatMap((reading) => foreignIn(space, others, reading));
  });
  expect(foreign).toEqual([]);
  expect(sharedIds(everything.map(({ all }) => all))).toEqual([]);
});

test("what other workspaces write changes nothing that a workspace reads", async () => {
  const [alone = expect.fail()] = gathered;
  expect(buildTexts(alone, await readAll(alone.space))).toEqual(buildTexts(alone, alone.readings));
});
