import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { onTestFinished } from "vitest";
import { STATEMENTS } from "../src/database/database.ts";
import type { Query } from "../src/database/statement.ts";

/** Returns a list that gets each matching statement that any database of this process sends during the test. */
export function recordStatements(pattern: RegExp): Query[] {
  const sent: Query[] = [];
  function record(message: unknown): void {
    const query = asQuery(message);
    if (pattern.test(query.text)) sent.push(query);
  }
  subscribe(STATEMENTS, record);
  onTestFinished(() => void unsubscribe(STATEMENTS, record));
  return sent;
}

const works = new AsyncLocalStorage<Query[]>();

/** Returns the statements that the work sends, without those of others in this process, such as polls of a service. */
export async function getStatements(work: () => Promise<unknown>): Promise<Query[]> {
  const sent: Query[] = [];
  const record = (message: unknown) => void works.getStore()?.push(asQuery(message));
  subscribe(STATEMENTS, record);
  try {
    await works.run(sent, work);
  } finally {
    unsubscribe(STATEMENTS, record);
  }
  return sent;
}

/** Holds because database.ts sends nothing else. */
function asQuery(message: unknown): Query {
  return message as Query;
}
