import fc from "fast-check";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { SEED } from "../../../test/seed.ts";
import { restoreYjsDocument } from "./yjs-document.ts";

/** One change of one of two clients, as numbers that the document turns into places and values. */
const step = fc.record({
  client: fc.nat(1),
  kind: fc.constantFrom("insert", "delete", "format", "embed", "field", "unset", "item", "remove", "nest", "merge"),
  place: fc.nat(100),
  value: fc.nat(9),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function change(document: Y.Doc, { kind, place, value }: Step): void {
  const [text, map] = [document.getText("text"), document.getMap<unknown>("map")];
  const list = document.getArray<unknown>("list");
  const at = (length: number) => place % (length + 1);
  const count = (length: number) => Math.min(1 + (value % 4), length - at(length));
  const nested = list.toArray().find((item) => item instanceof Y.Map);
  const fields: Y.Map<unknown> = nested ?? map;
  const act = {
    insert: () => text.insert(at(text.length), `${value}ab`),
    delete: () => text.delete(at(text.length), count(text.length)),
    format: () => text.format(at(text.length), count(text.length), { bold: value % 2 ? true : null }),
    embed: () => text.insertEmbed(at(text.length), { value }),
    field: () => fields.set(`f${place % 3}`, value % 3 ? value : new Y.Text(`${value}`)),
    unset: () => fields.delete(`f${place % 3}`),
    item: () => list.insert(at(list.length), [value]),
    remove: () => list.delete(at(list.length), count(list.length)),
    nest: () => list.insert(at(list.length), [new Y.Map<unknown>([["f0", Y.Array.from([value])]])]),
    merge: () => undefined,
  };
  act[kind]();
}

function getContent(document: Y.Doc): unknown {
  const names = { map: document.getMap("map").toJSON(), list: document.getArray("list").toJSON() };
  return { ...names, text: document.getText("text").toDelta() };
}

function merge(documents: readonly [Y.Doc, Y.Doc]): void {
  const [first, second] = documents;
  Y.applyUpdate(second, Y.encodeStateAsUpdate(first, Y.encodeStateVector(second)));
  Y.applyUpdate(first, Y.encodeStateAsUpdate(second, Y.encodeStateVector(first)));
}

function run(documents: readonly [Y.Doc, Y.Doc], steps: Step[]): void {
  for (const each of steps) {
    if (each.kind === "merge") merge(documents);
    else change(documents[each.client === 0 ? 0 : 1], each);
  }
  merge(documents);
}

test("a restored document has the content of the version, in the service and in open clients, again and again", () => {
  const steps = fc.array(step, { maxLength: 40 });
  fc.assert(
    fc.property(steps, steps, steps, (before, since, later) => {
      const documents = [new Y.Doc(), new Y.Doc()] as const;
      documents.forEach((document, index) => {
        document.clientID = index + 1;
      });
      run(documents, before);
      const [earlier, expected] = [Y.encodeStateAsUpdate(documents[0]), getContent(documents[0])];
      for (const further of [since, later]) {
        run(documents, further);
        const state = Y.encodeStateAsUpdate(documents[0]);
        const restored = restoreYjsDocument({
          ...{ type: "text", contentKey: "text", earlier },
          before: { state, updates: [], clientId: 7 },
        });
        for (const document of documents) {
          Y.applyUpdate(document, restored.state);
          expect(getContent(document)).toEqual(expected);
        }
      }
    }),
    { seed: SEED, numRuns: 300 },
  );
});
