import { afterAll, onTestFinished, TestRunner } from "vitest";

/**
 * Runs `cleanUp` at the end of the current test, or of the file outside of tests. Vitest ignores `afterAll` within a
 * test. In `beforeAll`, return a function that cleans up instead.
 */
export function registerCleanup(cleanUp: () => Promise<void> | void): void {
  if (TestRunner.getCurrentTest()) onTestFinished(cleanUp);
  else afterAll(cleanUp);
}
