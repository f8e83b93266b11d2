import { encoded } from "./array-parameter.ts";
import type { Query, Statement, StatementRunner } from "./statement.ts";

/** A value with its PostgreSQL type, which a template writes as `$1::type`. */
export class Parameter {
  readonly type: string;
  readonly value: unknown;

  constructor(type: string, value: unknown) {
    this.type = type;
    this.value = value;
  }
}

export const uuid = (value: string | null) => new Parameter("uuid", value);
export const text = (value: string | null | undefined) => new Parameter("text", value ?? null);
export const json = (value: string | null) => new Parameter("json", value);
/** JSON text that PostgreSQL parses once for a statement, so that its expressions can look up fields quickly. */
export const jsonb = (value: string) => new Parameter("jsonb", value);
export const integer = (value: number | null) => new Parameter("int", value);
export const bigint = (value: number | null) => new Parameter("bigint", value);
/** ID of a transaction. */
export const xid8 = (value: string | null) => new Parameter("xid8", value);
export const boolean = (value: boolean | null) => new Parameter("boolean", value);
export const bytea = (value: Uint8Array | null) => new Parameter("bytea", value);
/** A value whose type PostgreSQL takes from the column that it is compared with. */
export const inferred = (value: string) => new Parameter("", value);
export const uuids = (values: readonly (string | null)[]) => new Parameter("uuid[]", values);
export const texts = (values: readonly (string | null)[]) => new Parameter("text[]", values);
export const integers = (values: readonly number[]) => new Parameter("int[]", values);
export const bigints = (values: readonly (number | null)[]) => new Parameter("bigint[]", values);
export const booleans = (values: readonly boolean[]) => new Parameter("boolean[]", values);
export const byteas = (values: readonly Uint8Array[]) => new Parameter("bytea[]", values);

/** The constant part of a statement. Each combination of templates has one shape, so its text is built only once. */
export class Shape {
  readonly #strings: readonly string[];
  /** The type of a parameter, or the shape of a nested fragment. */
  readonly #parts: readonly (string | Shape)[];
  /** The types of all parameters, in their order. */
  readonly types: readonly string[];
  #text: string | undefined;
  static #count = 0;
  /** Name of the prepared statement. */
  readonly name = `colloquy_${++Shape.#count}`;

  constructor(strings: readonly string[], parts: readonly (string | Shape)[]) {
    this.#strings = strings;
    this.#parts = parts;
    this.types = parts.flatMap((part) => (typeof part === "string" ? [part] : part.types));
  }

  get text(): string {
    this.#text ??= this.#render();
    return this.#text;
  }

  #render(): string {
    let position = 0;
    const toParameter = (type: string) => `$${++position}${type && `::${type}`}`;
    const write = (shape: Shape): string =>
      shape.#strings.reduce((written, string, index) => {
        const part = shape.#parts[index - 1] ?? "";
        return written + (typeof part === "string" ? toParameter(part) : write(part)) + string;
      });
    return write(this);
  }
}

/** Node of a tree of shapes; each level selects one part of the template. */
interface KnownShapes {
  shape?: Shape;
  readonly next: Map<string | Shape, KnownShapes>;
}

const knownShapes = new WeakMap<readonly string[], KnownShapes>();

function getShape(strings: readonly string[], parts: readonly (string | Shape)[]): Shape {
  let known = knownShapes.get(strings);
  if (!known) {
    known = { next: new Map() };
    knownShapes.set(strings, known);
  }
  for (const part of parts) {
    let next: KnownShapes | undefined = known.next.get(part);
    if (!next) {
      next = { next: new Map() };
      known.next.set(part, next);
    }
    known = next;
  }
  known.shape ??= new Shape(strings, parts);
  return known.shape;
}

/** A statement or a fragment of one with its values. Run as a statement, it returns its rows. */
export class Sql<Row = unknown> implements Statement<Row[]> {
  readonly shape: Shape;
  readonly values: readonly unknown[];

  constructor(shape: Shape, values: readonly unknown[]) {
    this.shape = shape;
    this.values = values;
  }

  /** Runs the statement, prepared once per connection. */
  runOn(runner: StatementRunner): Promise<Row[]> {
    return runner.execute<Row>(getNamedQuery(this));
  }
}

function getQuery({ shape, values }: Sql): Query {
  return { text: shape.text, values: values.map((value, index) => encoded(shape.types[index], value)) };
}

/** Returns a query that is prepared once per connection. */
function getNamedQuery(statement: Sql): Query {
  return { ...getQuery(statement), name: statement.shape.name };
}

/**
 * Composes SQL: `` sql<Row>`select … where id = ${text(id)}` ``. A parameter is written with its type where it is used.
 * A fragment is inserted with its own parameters. The types reject anything else, which could be untrusted text.
 */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...parts: (Parameter | Sql)[]): Sql<Row> {
  return compose(strings, parts);
}

function compose<Row>(strings: readonly string[], parts: (Parameter | Sql)[]): Sql<Row> {
  const values: unknown[] = [];
  const shapes = parts.map((part) => {
    if (part instanceof Sql) {
      for (const value of part.values) values.push(value);
      return part.shape;
    }
    values.push(part.value);
    return part.type;
  });
  return new Sql(getShape(strings, shapes), values);
}

export const EMPTY = sql``;

const separators = new Map<string, readonly string[]>();

/** Joins fragments, or nothing, by a separator such as `, ` or ` and `. */
export function join(parts: (Parameter | Sql)[], separator: string): Sql {
  if (parts.length === 0) return EMPTY;
  const key = `${parts.length} ${separator}`;
  const strings = separators.get(key) ?? ["", ...Array<string>(parts.length - 1).fill(separator), ""];
  separators.set(key, strings);
  return compose(strings, parts);
}

const names = new Map<string, Sql>();

/** Returns the name of a table, column or alias as a fragment. Throws if it is not a plain lower-case name. */
export function identifier(name: string): Sql {
  let known = names.get(name);
  if (!known) {
    if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(name)) throw new Error(`${name} is not a name`);
    known = new Sql(new Shape([name], []), []);
    names.set(name, known);
  }
  return known;
}

/** Returns names separated by commas. */
export function identifiers(list: readonly string[]): Sql {
  return join(list.map(identifier), ", ");
}

/** Returns a select that always has exactly one row, such as an aggregate, as a statement that returns this row. */
export function oneRow<Row>(select: Sql<Row>): Statement<Row> {
  return {
    async runOn(runner) {
      const [row, ...others] = await select.runOn(runner);
      if (row === undefined || others.length > 0) throw new Error("a select of one row returned none or several");
      return row;
    },
  };
}

/**
 * Returns a statement that is not prepared, so that PostgreSQL plans it on each call. A plan from when a table was tiny
 * reads the whole table for each row until the statistics are updated.
 */
export function unprepared<Row>(statement: Sql<Row>): Statement<Row[]> {
  return { runOn: (runner) => runner.execute<Row>(getQuery(statement)) };
}

/**
 * Returns a statement whose rows may have more than a mebibyte. Callers take turns for such statements, which run one
 * after the other: one caller who read many large pages at once left little of the processors to all others.
 */
export function largeRows<Row>(statement: Sql<Row>): Statement<Row[]> {
  return { runOn: (runner) => runner.execute<Row>({ ...getNamedQuery(statement), isLarge: true }) };
}
