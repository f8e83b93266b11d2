import { afterAll, onTestFinished } from "vitest";
import { getCurrentTest } from "vitest/suite";

/**
 * Undoes something at the end of the test that runs, or else of the file; in a test Vitest passes over `afterAll`. What
 * `beforeAll` has made, the function that it returns has to undo.
 */
export function registerCleanup(undo: () => Promise<void> | void): void {
  if (getCurrentTest()) onTestFinished(undo);
  else afterAll(undo);
}
