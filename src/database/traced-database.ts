import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Database } from "./database.ts";
import type { Queryable, Statement, StatementRunner, TransactionalQueryable } from "./statement.ts";

/**
 * Returns a database whose statements are spans of the request or job that runs them. A call in a batch is one span,
 * which includes its wait; the statements of a batch belong to many requests and have no spans.
 */
export function tracedDatabase(database: Database, telemetry: Telemetry): Database {
  function tracedRunner(runner: StatementRunner): StatementRunner {
    const traced: StatementRunner = {
      isDistributed: runner.isDistributed,
      execute: (query) => telemetry.measure(getSpan(getSummary(query.text)), () => runner.execute(query)),
      runBatched: (statement, call) => telemetry.measure(getSpan("batch"), () => runner.runBatched(statement, call)),
      scheduleBeforeCommit: runner.scheduleBeforeCommit,
      emit: runner.emit,
      run: (statement) => statement.runOn(traced),
    };
    return traced;
  }

  function traced({ run, transaction }: TransactionalQueryable): TransactionalQueryable {
    return {
      run: runTraced(run),
      transaction: (work) =>
        telemetry.measure(getSpan("transaction"), () =>
          transaction(({ run: runInside, isTransaction }) => work({ run: runTraced(runInside), isTransaction })),
        ),
    };
  }

  function runTraced(run: Queryable["run"]): Queryable["run"] {
    return <Result>(statement: Statement<Result>) => run({ runOn: (runner) => statement.runOn(tracedRunner(runner)) });
  }

  return {
    ...traced(database),
    get poolUsage() {
      return database.poolUsage;
    },
    isDistributed: database.isDistributed,
    get connectionConfig() {
      return database.connectionConfig;
    },
    recheckPrimary: () => database.recheckPrimary(),
    poolSockets: database.poolSockets,
    forMember: (member) => traced(database.forMember(member)),
    onTopics: (listener) => database.onTopics(listener),
    close: () => database.close(),
  };
}

function getSpan(name: string) {
  return { kind: "statement" as const, name, attributes: { "db.system.name": "postgresql" } };
}

/** Statements are built from constant texts, so there are a few hundred. */
const summaries = new Map<string, string>();

/** Returns the verb and the table of a statement, such as `insert users`. Its text and values are not part of it. */
function getSummary(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const [, verb, table] =
    /\b(insert|update|delete)\s+(?:into\s+|from\s+)?(?!set\b|of\b|skip\b|nowait\b)([a-z_.]+)/i.exec(text) ??
    /\b(select)\b[\s\S]*?\bfrom\s+([a-z_.]+)/i.exec(text) ??
    /^\s*(\w+)/.exec(text) ??
    [];
  const summary = [verb?.toLowerCase(), table?.toLowerCase()].filter(Boolean).join(" ");
  summaries.set(text, summary);
  return summary;
}
