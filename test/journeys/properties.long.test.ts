import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../canonical-json.ts";
import { activity, addActivities, readActivities, readActivityIds, SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { anyCharacter, anyJson, anyText, buildObject } from "../json-values.ts";
import { SEED } from "../seed.ts";
import { size } from "../sizes.ts";

/** Settings of fast-check, which prints the seed of a failure. */
const SETTINGS = { seed: SEED, numRuns: size({ usual: 50, long: 500 }) };
const { organizationId } = SCOPE;
const service = await startTestService();

const objectOrNull = fc.oneof(buildObject(anyJson), fc.constant(null));
const textOrNull = fc.oneof(anyText, fc.constant(null));
const freeFields = fc.record({
  changes: objectOrNull,
  entityData: anyJson,
  entityTargetData: anyJson,
  displayMessageTemplate: textOrNull,
  displayMessageTemplateData: objectOrNull,
  actionIcon: textOrNull,
});

function pick(record: object, names: string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

test("any JSON value in a free-form field is read back unchanged after add and after update", async () => {
  const workspace = await service.workspace();
  const property = fc.asyncProperty(freeFields, freeFields, async (added, updated) => {
    const names = Object.keys(added);
    await addActivities(workspace, [{ id: "free", ...added }]);
    const [first = {}] = await readActivities(workspace);
    expect(canonicalJson(pick(first, names))).toBe(canonicalJson(added));
    await workspace.data("/v2/activities/update", { organizationId, activities: [{ id: "free", ...updated }] });
    const [second = {}] = await readActivities(workspace);
    expect(canonicalJson(pick(second, names))).toBe(canonicalJson(updated));
  });
  await fc.assert(property, SETTINGS);
});

test.each(["-0", "1e308", "5e-324", "1E2", "1.0", "0.1", "9007199254740993", "123456789012345678901234567890"])(
  "the number %s is read back as JavaScript reads it",
  async (literal) => {
    const workspace = await service.workspace();
    const body = JSON.stringify({ data: { ...SCOPE, activities: [activity({ entityData: "number" })] } });
    await workspace.call("/v2/activities/add", body.replace('"number"', literal));
    const [record] = await readActivities(workspace);
    expect(record?.entityData === JSON.parse(literal), `${record?.entityData}`).toBe(true);
  },
);

const identifier = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 128 }).filter((text) => !/\p{Cc}/u.test(text)),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "a/b",
    " ",
    "..",
    "x".repeat(256),
    "😀".repeat(128),
    "%00",
    "null",
    "'\"\\",
  ),
);

test("any allowed text can be an identifier to add, find, update and delete by", async () => {
  const workspace = await service.workspace();
  const names = ["organizationId", "documentId", "id", "targetEntityId", "userId", "actionType"] as const;
  const all = fc.record(Object.fromEntries(names.map((name) => [name, identifier])));
  const property = fc.asyncProperty(all, async (ids) => {
    const { organizationId = "", documentId = "", id = "", targetEntityId = "", userId = "", actionType = "" } = ids;
    const given = { id, targetEntityId, actionType, actionUser: { userId } };
    await addActivities(workspace, [given], { organizationId, documentId });
    const filters = { documentId, targetEntityId, userId, actionTypes: [actionType], activityIds: [id] };
    const records = await readActivities(workspace, { organizationId, ...filters });
    const metadata = { apiKey: workspace.apiKey, documentId, organizationId };
    expect(records).toEqual([{ ...activity(given), metadata, timestamp: expect.any(Number) }]);
    for (const response of [
      await workspace.data("/v2/activities/update", { organizationId, activities: [{ id }] }),
      await workspace.data("/v2/activities/delete", { organizationId, activityIds: [id] }),
    ]) {
      expect(Object.entries(response)).toEqual([[id, { success: true, message: expect.any(String) }]]);
    }
  });
  await fc.assert(property, SETTINGS);
});

/** Requests with an identifier in the field that the key names. */
const PLACES: Record<string, (text: string) => object> = {
  "data.organizationId": (text) => ({ ...SCOPE, organizationId: text, activities: [activity()] }),
  "data.documentId": (text) => ({ ...SCOPE, documentId: text, activities: [activity()] }),
  "data.activities[0].id": (text) => ({ ...SCOPE, activities: [activity({ id: text })] }),
  "data.activities[0].targetEntityId": (text) => ({ ...SCOPE, activities: [activity({ targetEntityId: text })] }),
  "data.activities[0].actionType": (text) => ({ ...SCOPE, activities: [activity({ actionType: text })] }),
  "data.activities[0].actionUser.userId": (text) => ({
    ...SCOPE,
    activities: [activity({ actionUser: { userId: text } })],
  }),
};
const badUnit = fc.oneof(
  fc.integer({ min: 0, max: 0x1f }),
  fc.integer({ min: 0x7f, max: 0x9f }),
  fc.integer({ min: 0xd800, max: 0xdfff }),
);
const noIdentifier = fc.oneof(
  fc.tuple(fc.string(), badUnit, fc.string()).map(([a, unit, b]) => `${a}${String.fromCharCode(unit)}${b}`),
  fc.constantFrom("", "x".repeat(257), "😀".repeat(129)),
);

test.each(Object.entries(PLACES))("a text that is not an identifier is rejected as %s", async (name, requestWith) => {
  const workspace = await service.workspace();
  const property = fc.asyncProperty(noIdentifier, async (text) => {
    const { status, message } = await workspace.error("/v2/activities/add", requestWith(text));
    expect(status).toBe("INVALID_ARGUMENT");
    expect(message.startsWith(`${name} must `), message).toBe(true);
  });
  await fc.assert(property, SETTINGS);
  expect(await readActivityIds(workspace)).toEqual([]);
});

test("identifiers that look alike are different ones", async () => {
  const workspace = await service.workspace();
  const ids = ["é", "e\u0301", "E\u0301", "a", "A", "a ", " a", "ａ", "\u00a0a", "a\u200b", "0", "00", "ss", "ß"];
  await addActivities(workspace, ids);
  expect(await readActivityIds(workspace)).toEqual(ids);
});

test.each(["asc", "desc"] as const)(
  "pages repeat and skip nothing during concurrent writes, in order %s",
  async (order) => {
    const workspace = await service.workspace();
    const ids = Array.from({ length: 120 }, (_, index) => `${index}`);
    for (const id of ids) await addActivities(workspace, [`stable ${id}`, `early ${id}`]);
    async function write(round: string): Promise<void> {
      await addActivities(workspace, [`late ${round}`, { id: `stable ${round}`, entityData: "overwritten" }]);
      const activityIds = [`early ${round}`, `late ${Number(round) - 5}`];
      await workspace.data("/v2/activities/delete", { organizationId, activityIds });
    }
    const seen: string[] = [];
    const rounds = ids[Symbol.iterator]();
    let pageToken: string | undefined;
    do {
      const request = { organizationId, order, pageSize: 7, ...(pageToken && { pageToken }) };
      const page = workspace.result("/v2/activities/get", request);
      const round = rounds.next().value;
      const [{ data, pageToken: next }] = await Promise.all([page, round === undefined ? undefined : write(round)]);
      seen.push(...data.map(({ id }) => id));
      pageToken = next;
    } while (pageToken !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    const stable = ids.map((id) => `stable ${id}`);
    expect(seen.filter((id) => id.startsWith("stable"))).toEqual(order === "asc" ? stable : stable.toReversed());
  },
);
