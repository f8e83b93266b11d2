import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startTestService } from "../../../test/harness.ts";
import {
  DOCUMENTS,
  deleteRecords,
  ORGANIZATIONS,
  readRecordIds,
  readRecords,
  recordId,
  USERS,
  writeRecords,
} from "../../../test/organizations.ts";
import { MIB_BEFORE_MULTIPLYING, multiplyRecordBytes } from "../../../test/record-bytes.ts";
import { SEED } from "../../../test/seed.ts";
import { size } from "../../../test/sizes.ts";

const SETTINGS = { seed: SEED, numRuns: size({ usual: 25, long: 200 }) };
const MAX_BYTES = 64 * 1024;
const HOSTILE = {
  ...JSON.parse('{"__proto__": {"polluted": true}}'),
  constructor: { prototype: null },
  "\0": "a \0 in a text",
  "\ud800": "half of a pair \udfff",
  "": "an empty name",
  toJSON: 1,
  length: -1,
  numbers: [0, -1.5, 1e308, 5e-324, 2 ** 53],
  nothing: null,
  deep: JSON.parse(`${"[".repeat(58)}${"]".repeat(58)}`),
};
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
const anyMetadata = fc.dictionary(anyText, fc.oneof(fc.jsonValue(), anyText)).map((fields) => {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`x ${name}`, value]));
});
const service = await startTestService();

describe.each([ORGANIZATIONS, DOCUMENTS, USERS])("$path", (kind) => {
  const { noun, path, list, id, ids, minimal, scope } = kind;
  const name = noun === "User" ? "name" : `${noun.toLowerCase()}Name`;
  const ADDED = expect.objectContaining({ success: true, message: `${noun} added.` });
  const UPDATED = { success: true, id: expect.any(String), message: `${noun} updated.` };
  const NOT_FOUND = expect.objectContaining({ success: false, message: `${noun} not found.` });

  /** Returns a record whose JSON text has this number of bytes. */
  function buildRecord(bytes: number): object {
    const record = { [id]: "large", text: "ä" };
    return { ...record, text: record.text + "x".repeat(bytes - Buffer.byteLength(JSON.stringify(record))) };
  }

  test("an added record is read back with all its metadata", async () => {
    const workspace = await service.publicWorkspace();
    const fields = { [name]: "A name \0 \ud800", ...HOSTILE };
    expect(await writeRecords(workspace, kind, "add", [{ [id]: "a", ...fields }, "b"])).toEqual({ a: ADDED, b: ADDED });
    expect(await readRecords(workspace, kind)).toEqual([{ ...minimal("a", "A name"), ...fields }, minimal("b")]);
    const [first = {}] = await readRecords(workspace, kind);
    expect(Object.hasOwn(first, "__proto__") && first.polluted).toBe(undefined);
  });

  test("any JSON in any field is read back unchanged after add and after update", async () => {
    const workspace = await service.publicWorkspace();
    let count = 0;
    const property = fc.asyncProperty(anyMetadata, anyMetadata, async (added, updated) => {
      const one = `record-${count++}`;
      await writeRecords(workspace, kind, "add", [{ [id]: one, ...added }]);
      expect(await readRecords(workspace, kind, { [ids]: [one] })).toEqual([{ ...minimal(one), ...added }]);
      await writeRecords(workspace, kind, "update", [{ [id]: one, ...updated }]);
      expect(await readRecords(workspace, kind, { [ids]: [one] })).toEqual([{ ...minimal(one), ...added, ...updated }]);
    });
    await fc.assert(property, SETTINGS);
  });

  test("an update replaces each sent field as a whole, even with null, and keeps the others", async () => {
    const workspace = await service.publicWorkspace();
    await writeRecords(workspace, kind, "add", [{ [id]: "a", [name]: "Old", kept: 1, deep: { kept: 1 }, emptied: 1 }]);
    const update = { [id]: "a", [name]: "New", deep: { other: 2 }, emptied: null, ...HOSTILE };
    expect(await writeRecords(workspace, kind, "update", [update])).toEqual({ a: UPDATED });
    const { [id]: _, ...fields } = { kept: 1, ...update };
    expect(await readRecords(workspace, kind)).toEqual([{ ...minimal("a", "New"), ...fields }]);
  });

  test("an update without fields succeeds and changes nothing", async () => {
    const workspace = await service.publicWorkspace();
    await writeRecords(workspace, kind, "add", [{ [id]: "a", kept: 1 }]);
    expect(await writeRecords(workspace, kind, "update", ["a"])).toEqual({ a: UPDATED });
    expect(await readRecords(workspace, kind)).toEqual([{ ...minimal("a"), kept: 1 }]);
  });

  test("an update of a missing record fails alone and creates nothing", async () => {
    const workspace = await service.publicWorkspace();
    await writeRecords(workspace, kind, "add", ["a"]);
    const updates = ["missing", "a", "__proto__"].map((one) => ({ [id]: one, seen: true }));
    expect(await writeRecords(workspace, kind, "update", updates)).toEqual(
      Object.fromEntries([
        ["missing", NOT_FOUND],
        ["a", UPDATED],
        ["__proto__", NOT_FOUND],
      ]),
    );
    expect(await readRecords(workspace, kind)).toEqual([{ ...minimal("a"), seen: true }]);
  });

  test("responses have the same key for a record, also if it fails", async () => {
    const workspace = await service.publicWorkspace();
    const missing = await writeRecords(workspace, kind, "update", ["a"]);
    const added = await writeRecords(workspace, kind, "add", ["a"]);
    const updated = await writeRecords(workspace, kind, "update", ["a"]);
    expect(missing).toMatchObject({ a: { code: "not-found", id: Object(added).a.id } });
    expect(updated).toMatchObject({ a: { success: true, id: Object(added).a.id } });
    if (noun === "User") return;
    expect(await deleteRecords(workspace, kind, ["a"])).toMatchObject({ a: { id: Object(added).a.id } });
    expect(await deleteRecords(workspace, kind, ["a"])).toMatchObject({
      a: { success: false, code: "not-found", id: Object(added).a.id },
    });
  });

  test("concurrent updates of different fields are all stored", async () => {
    const workspace = await service.publicWorkspace();
    await writeRecords(workspace, kind, "add", ["a", "b"]);
    const fields = Array.from({ length: 12 }, (_, index) => `field ${index}`);
    await Promise.all(
      fields.map((field, index) => {
        const both = [
          { [id]: "a", [field]: index },
          { [id]: "b", [field]: index },
        ];
        return writeRecords(workspace, kind, "update", index % 2 ? both : both.reverse());
      }),
    );
    const all = Object.fromEntries(fields.map((field, index) => [field, index]));
    expect(await readRecords(workspace, kind)).toEqual(["a", "b"].map((one) => ({ ...minimal(one), ...all })));
  });

  test(`a record of ${MAX_BYTES} bytes is stored, one more byte is INVALID_ARGUMENT`, async () => {
    const workspace = await service.publicWorkspace();
    const records = ["small", buildRecord(MAX_BYTES + 1)].map((one) => (typeof one === "string" ? { [id]: one } : one));
    const error = await workspace.error(`${path}/add`, { ...scope, [list]: records });
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      message: `data.${list}[1] must be at most 64 KiB as JSON text`,
    });
    expect(await readRecords(workspace, kind)).toEqual([]);
    await writeRecords(workspace, kind, "add", [buildRecord(MAX_BYTES)]);
    expect(await readRecordIds(workspace, kind)).toEqual(["large"]);
  });

  test("an update beyond 64 KiB fails alone and changes nothing", async () => {
    const workspace = await service.publicWorkspace();
    await writeRecords(workspace, kind, "add", [buildRecord(MAX_BYTES - 100), "b"]);
    const before = await readRecords(workspace, kind, { [ids]: ["large"] });
    const results = await writeRecords(workspace, kind, "update", [
      { [id]: "large", more: "x".repeat(200) },
      { [id]: "b", seen: 1 },
    ]);
    const large = {
      success: false,
      id: expect.any(String),
      code: "internal",
      message: expect.stringContaining("64 KiB"),
    };
    expect(results).toEqual({ large, b: UPDATED });
    expect(await readRecords(workspace, kind)).toEqual([{ ...minimal("b"), seen: 1 }, ...before]);
  });

  test.each(["add", "update"] as const)("%s accepts 500 records, 501 are INVALID_ARGUMENT", async (verb) => {
    const workspace = await service.publicWorkspace();
    const all = Array.from({ length: 501 }, (_, index) => `record-${1000 + index}`);
    await writeRecords(workspace, kind, "add", all.slice(0, 500));
    const given = all.map((one) => ({ [id]: one, seen: true }));
    const error = await workspace.error(`${path}/${verb}`, { ...scope, [list]: given });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: `data.${list} must have at most 500 items` });
    const results = await writeRecords(workspace, kind, "update", given.slice(0, 500));
    expect(Object.values(results)).toEqual(Array(500).fill(UPDATED));
    expect((await readRecords(workspace, kind)).every(({ seen }) => seen)).toBe(true);
  });

  test.each(["add", "update"] as const)(
    "%s with a repeated id is INVALID_ARGUMENT and changes nothing",
    async (verb) => {
      const workspace = await service.publicWorkspace();
      await writeRecords(workspace, kind, "add", ["a"]);
      const twice = ["x", "a", "x"].map((one, index) => ({ [id]: one, seen: index }));
      const error = await workspace.error(`${path}/${verb}`, { ...scope, [list]: twice });
      expect(error).toMatchObject({
        status: "INVALID_ARGUMENT",
        message: expect.stringContaining(`data.${list}[2].${id} `),
      });
      expect(await readRecords(workspace, kind)).toEqual([minimal("a")]);
    },
  );

  test("the records of another workspace are not found: they are not read, updated or deleted", async () => {
    const [mine, theirs] = await Promise.all([service.publicWorkspace(), service.publicWorkspace()]);
    await writeRecords(theirs, kind, "add", ["a"]);
    expect(await readRecords(mine, kind, { [ids]: ["a"] })).toEqual([]);
    expect(await writeRecords(mine, kind, "update", [{ [id]: "a", seen: true }])).toEqual({ a: NOT_FOUND });
    expect(await deleteRecords(mine, kind, ["a"])).toEqual({ a: NOT_FOUND });
    await writeRecords(mine, kind, "add", [{ [id]: "a", mine: true }]);
    expect(await readRecords(theirs, kind)).toEqual([minimal("a")]);
  });

  test("a request by ids returns the found records once, sorted by id", async () => {
    const workspace = await service.publicWorkspace();
    await writeRecords(workspace, kind, "add", ["b", "a", "ä", "B", "__proto__"]);
    expect(await readRecordIds(workspace, kind, { [ids]: ["b", "unknown", "a", "b"] })).toEqual(["a", "b"]);
    expect(await readRecordIds(workspace, kind)).toEqual(["B", "__proto__", "a", "b", "ä"]);
  });

  test("the pages together have each record once, even if others are added and deleted meanwhile", async () => {
    const workspace = await service.publicWorkspace();
    const steady = Array.from({ length: 10 }, (_, index) => `steady-${index}`);
    await writeRecords(workspace, kind, "add", [...steady, "steady-0-gone", "steady-9-gone"]);
    const first = await workspace.uncheckedResult(`${path}/get` as const, { ...scope, pageSize: 4 });
    await deleteRecords(workspace, kind, ["steady-0-gone", "steady-9-gone"]);
    await writeRecords(workspace, kind, "add", ["steady-0-late", "steady-5-late"]);
    const pageToken = first.nextPageToken;
    const rest = await readRecordIds(workspace, kind, { pageSize: 3, pageToken });
    const seen = [...[first.data].flat().map(recordId), ...rest];
    expect(seen.filter((one) => !String(one).includes("late") && !String(one).includes("gone"))).toEqual(steady);
    expect(rest).toContain("steady-5-late");
  });

  test("a page ends with the record that passes 8 MiB, and the next page continues", async () => {
    const workspace = await service.publicWorkspace();
    const all = Array.from({ length: 10 }, (_, index) => `record-${index}`);
    const records = all.map((one) => ({ [id]: one, text: "x".repeat(MIB_BEFORE_MULTIPLYING) }));
    await writeRecords(workspace, kind, "add", records);
    await multiplyRecordBytes(service.database, workspace, list);
    const first = await workspace.uncheckedResult(`${path}/get` as const, scope);
    expect(first.data).toHaveLength(8);
    expect(await readRecordIds(workspace, kind)).toEqual(all);
  });
});
