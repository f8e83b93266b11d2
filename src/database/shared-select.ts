import { encoded, textArray } from "./array-parameter.ts";
import type { Shape, Sql } from "./sql.ts";
import type { BatchedStatement, Queryable, Statement } from "./statement.ts";

/** Batches at once, and calls in each: together those of 64 connections. */
const PARALLEL_BATCHES = 4;
const MAX_CALLS = 16;

/**
 * Shares a select of exactly one small row among concurrent calls of the same shape, in one round trip. (Measured with
 * 64 connections and pages of 50 records: 0.6 of PostgreSQL's processor time and 0.8 of Node's.) Only calls of
 * the same organization share it.
 */
export function shared<Row>(select: Sql<Row>): Statement<Row> {
  return {
    runOn: (runner) => runner.runBatched(sharedSelectOf<Row>(select.shape), select),
  };
}

const sharedSelects = new WeakMap<Shape, BatchedStatement<Sql, unknown>>();

function sharedSelectOf<Row>(shape: Shape): BatchedStatement<Sql, Row> {
  const known = sharedSelects.get(shape) ?? new SharedSelect(shape);
  sharedSelects.set(shape, known);
  return withRows<Row>(known);
}

/** Casts: the type of the rows is that which the caller gave to the select. */
function withRows<Row>(statement: BatchedStatement<Sql, unknown>): BatchedStatement<Sql, Row> {
  return statement as BatchedStatement<Sql, Row>;
}

/**
 * The parameters of the calls become the columns of a list, to which the select is joined as a lateral subquery. The
 * keys of the organization, which all calls of a batch have in common, stay parameters, so that Citus finds the shard
 * before it runs the statement.
 */
class SharedSelect<Row> implements BatchedStatement<Sql<Row>, Row> {
  readonly parallelBatches = PARALLEL_BATCHES;
  readonly maxCalls = MAX_CALLS;
  readonly #types: readonly string[];
  readonly #text: string;
  readonly #name: string;

  constructor(shape: Shape) {
    this.#types = shape.types;
    this.#name = `${shape.name}_shared`;
    const columns = this.#types.flatMap((type, index) => (type === "uuid" ? [] : [{ type, position: index + 1 }]));
    const lists = columns.map(({ type, position }) => `$${position}::${isList(type) ? "text" : type}[],`);
    const select = shape.render((position, type) => {
      if (type === "uuid") return `$${position}::${type}`;
      return `call.p${position}${isList(type) ? `::${type}` : ""}`;
    });
    this.#text = `select call.number as call_number, result.*
      from unnest(${lists.join(" ")} $${shape.types.length + 1}::int[])
        as call (${columns.map(({ position }) => `p${position},`).join(" ")} number)
      cross join lateral (${select}) as result`;
  }

  organizationKey(call: Sql<Row>): string {
    return call.values.filter((_, index) => this.#types[index] === "uuid").join();
  }

  byteSize(): number {
    return 0;
  }

  conflictKeys(): Iterable<string> {
    return [];
  }

  async run(database: Queryable, _organizationKey: string, calls: Sql<Row>[]): Promise<Row[]> {
    const [first] = calls;
    if (first && calls.length === 1) return database.run(first);
    const values = this.#types.map((type, index) => {
      if (type === "uuid") return encoded(type, first?.values[index]);
      const column = calls.map((call) => call.values[index]);
      return isList(type) ? textArray(column.map(listText)) : encoded(`${type}[]`, column);
    });
    const numbers = encoded(
      "int[]",
      calls.map((_, index) => index),
    );
    const query = { text: this.#text, values: [...values, numbers], name: this.#name };
    const rows = await database.run<(Row & { call_number: number })[]>({
      runOn: (runner) => runner.execute(query),
    });
    return rows.toSorted((one, other) => one.call_number - other.call_number);
  }
}

function isList(type: string): boolean {
  return type.endsWith("[]");
}

/** Returns the text of an array: PostgreSQL has no arrays of arrays of different lengths. */
function listText(list: unknown): string {
  if (!Array.isArray(list)) throw new Error("a parameter of a list type is not a list");
  const isPlain = !/["\\]/.test(list.join(""));
  const texts = isPlain ? list : list.map((value) => String(value).replace(/["\\]/g, "\\$&"));
  return texts.length === 0 ? "{}" : `{"${texts.join('","')}"}`;
}
