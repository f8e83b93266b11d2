import { expect, test } from "vitest";
import { operations } from "../src/operations.ts";
import { exampleIn, expectedSuccess, filledWorkspace, readAll } from "./examples.ts";
import { startOwnTestService } from "./harness.ts";

const service = await startOwnTestService();

test("no operation of one workspace changes what another one reads", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), filledWorkspace(service)]);
  const before = await readAll(theirs);
  const deletes = operations.filter(({ path }) => path.endsWith("/delete"));
  const reset = operations.filter(({ path }) => path.endsWith("/reset"));
  const others = operations.filter((operation) => ![...deletes, ...reset].includes(operation));
  // A reset ends the token of the requests.
  for (const operation of [...others, ...deletes.toReversed(), ...reset]) {
    const example = await exampleIn(mine, operation.path, operation.example);
    expect(await mine.call(operation.path, example)).toMatchObject(expectedSuccess(operation));
  }
  expect(await readAll(theirs)).toEqual(before);
});

test("no workspace reads what another one writes", async () => {
  const mine = await service.workspace();
  const before = await readAll(mine);
  await filledWorkspace(service);
  expect(await readAll(mine)).toEqual(before);
});
