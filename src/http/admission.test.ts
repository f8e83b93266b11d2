import { expect, test } from "vitest";
import { Admission, type Place } from "./admission.ts";

const LIMITS = { maxRunning: 4, maxWaiting: 100, maxWaitMs: 60_000 };

/** Lets requests enter and records in which order they start and are refused. */
function setUp(limits: Partial<typeof LIMITS> = {}) {
  const admission = new Admission({ ...LIMITS, ...limits });
  const started: string[] = [];
  const refused: string[] = [];
  const places: Place[] = [];
  /** `name` begins with the letter of its group. */
  function enter(name: string, isAbandoned = () => false): Promise<void> {
    return Promise.resolve(admission.enter(name.charAt(0), isAbandoned)).then(
      (place) => {
        started.push(name);
        places.push(place);
      },
      () => void refused.push(name),
    );
  }
  return { enter, started, refused, places };
}

/** Resolves when all promises that can be settled without a timer are. */
function settled(): Promise<void> {
  return new Promise(setImmediate);
}

test("a group gets at most half of the places", async () => {
  const { enter, started } = setUp();
  for (const name of ["a1", "a2", "a3", "b1"]) enter(name);
  await settled();
  expect(started).toEqual(["a1", "a2", "b1"]);
});

test("groups take turns, each with its oldest request", async () => {
  const { enter, started, places } = setUp({ maxRunning: 2 });
  for (const name of ["a1", "b1", "a2", "a3", "a4", "b2", "c1"]) enter(name);
  await settled();
  for (let at = 0; at < 7; at++) {
    places[at]?.leave();
    await settled();
  }
  expect(started).toEqual(["a1", "b1", "a2", "b2", "c1", "a3", "a4"]);
});

test("a place that is left twice is given away once", async () => {
  const { enter, started, places } = setUp({ maxRunning: 2 });
  for (const name of ["a1", "b1", "a2", "a3"]) enter(name);
  await settled();
  places[0]?.leave();
  places[0]?.leave();
  await settled();
  expect(started).toEqual(["a1", "b1", "a2"]);
});

test("if too many wait, the oldest is refused", async () => {
  const { enter, started, refused } = setUp({ maxRunning: 1, maxWaiting: 2 });
  for (const name of ["a1", "a2", "b1", "c1"]) enter(name);
  await settled();
  expect([started, refused]).toEqual([["a1"], ["a2"]]);
});

test("those that have waited too long are refused", async () => {
  const { enter, refused } = setUp({ maxRunning: 1, maxWaitMs: 10 });
  await Promise.all([enter("a1"), enter("a2"), enter("b1")]);
  expect(refused).toEqual(["a2", "b1"]);
});

test("a request whose client has disconnected does not start", async () => {
  const { enter, started, places } = setUp({ maxRunning: 1 });
  enter("a1");
  enter("a2", () => true);
  enter("a3");
  await settled();
  places[0]?.leave();
  await settled();
  expect(started).toEqual(["a1", "a3"]);
});
