import { expect } from "vitest";
import { collectGarbage } from "../src/service/after-start.ts";

function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

export const KEYS = numbered(98_000, (number) => `${"k".repeat(10)}${number}`);
const KEYS_TEXT = JSON.stringify(KEYS);

/** Maximum ratio for bodies of many different keys, which are parsed, checked and written without a yield. */
export const MANY_KEYS_RATIO = 5;

/**
 * Waits for the work and checks that no iteration of the event loop takes more than a multiple of the processor time of
 * parsing 98,000 keys, which is about 60 ms on a quiet machine, and more while others use its cores.
 */
export async function expectResponsiveEventLoop(work: Promise<unknown>, maxRatio = MANY_KEYS_RATIO): Promise<void> {
  // The garbage of earlier tests in this process would be collected in one of the turns.
  collectGarbage();
  const parsingMs = [measureParsing()];
  let [isDone, longestMs] = [false, 0];
  const done = work.finally(() => {
    isDone = true;
  });
  for (let before = process.threadCpuUsage(); !isDone; before = process.threadCpuUsage()) {
    await new Promise(setImmediate);
    longestMs = Math.max(longestMs, processorMs(before));
  }
  await done;
  parsingMs.push(measureParsing());
  expect(longestMs).toBeLessThan(maxRatio * Math.max(...parsingMs));
}

/** Returns the processor time of parsing 98,000 keys. */
function measureParsing(): number {
  const before = process.threadCpuUsage();
  JSON.parse(KEYS_TEXT);
  return processorMs(before);
}

/** Options of a test: a turn takes more processor time if another program uses the other half of the core meanwhile. */
export const ON_BUSY_MACHINES = { retry: 2 };

/** Returns an object with this number of fields. */
export function numbered(count: number, getName: (number: number) => string): object {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [getName(number), 1]));
}
