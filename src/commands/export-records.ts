import type { TSchema } from "typebox";
import Type from "typebox";
import { ServiceError } from "../contract/errors.ts";
import { isObject } from "../contract/is-object.ts";
import { Identifier } from "../contract/schema.ts";
import type { Address, ExportedRecord, ImportKind } from "../features/imports/import-kind.ts";
import type { ImportedRecord } from "../features/imports/importer.ts";
import { IMPORT_KINDS } from "../features/imports/kinds.ts";
import { similarName } from "../http/unknown-field.ts";
import { compileValidation } from "../http/validation.ts";

/** Maximum depth of a record, as in requests. */
const MAX_DEPTH = 64;
const ADDRESS_FIELDS = ["organizationId", "documentId"];

const ADDRESSES: Record<ImportKind["belongsTo"], TSchema> = {
  workspace: Type.Object({}),
  organization: Type.Object({ organizationId: Identifier, documentId: Type.Optional(Identifier) }),
  document: Type.Object({ organizationId: Identifier, documentId: Identifier }),
};

/** Records of one kind in a line. */
export interface GivenRecords {
  name: string;
  kind: ImportKind;
  given: readonly unknown[];
  /** Address that the line names for all of them. */
  ofLine: Address;
}

/** Record that its schema has accepted, or what is wrong with it. `place` is as in `users[3]`. */
export type CheckedRecord = { place: string; record: ImportedRecord } | { place: string; fault: string };

/** Reads and checks the lines of an export. */
export class RecordReader {
  readonly #validations = new Map<object, ReturnType<typeof compileValidation>>();

  /** Returns the records of a line by kind. Throws an Error that says what is wrong with the line as a whole. */
  read(text: string): GivenRecords[] {
    const line = parse(text);
    for (const name of Object.keys(line)) {
      if (!ADDRESS_FIELDS.includes(name) && !IMPORT_KINDS.has(name)) throw unknownKind(name);
    }
    const found = [...IMPORT_KINDS].filter(([name]) => Object.hasOwn(line, name));
    if (found.length === 0) throw new Error(`has none of ${[...IMPORT_KINDS.keys()].join(", ")}.`);
    const { organizationId, documentId } = line;
    return found.map(([name, kind]) => {
      const given = line[name];
      if (!Array.isArray(given)) throw new Error(`must have a list of records in ${name}.`);
      return { name, kind, given, ofLine: { organizationId, documentId } };
    });
  }

  /** Checks the records from a position, as many as one batch has. */
  async checkBatch({ name, kind, given, ofLine }: GivenRecords, start: number): Promise<CheckedRecord[]> {
    const checked: CheckedRecord[] = [];
    for (let index = start; index < Math.min(start + kind.batchSize, given.length); index++) {
      checked.push(await this.#check(kind, `${name}[${index}]`, given[index], ofLine));
    }
    return checked;
  }

  async #check(kind: ImportKind, place: string, record: unknown, ofLine: Address): Promise<CheckedRecord> {
    if (!isObject(record)) return { place, fault: `${place} must be an object.` };
    if (isDeeperThan(record, MAX_DEPTH)) return { place, fault: `${place} is nested deeper than ${MAX_DEPTH} levels.` };
    const { item, ...own } = kind.convert(record);
    const address = addressOf(kind, ofLine, own);
    const fault =
      (await this.#faultOf(ADDRESSES[kind.belongsTo], address, place)) ??
      (await this.#faultOf(kind.schema, item, place));
    if (fault !== undefined) return { place, fault };
    const { organizationId = "", documentId } = address;
    return { place, record: { organizationId, documentId, item } };
  }

  /** Returns what is wrong with a value, by its path in the line; undefined if it is valid. */
  async #faultOf(schema: TSchema, data: object, place: string): Promise<string | undefined> {
    const validate = this.#validations.get(schema) ?? compileValidation(schema, "record");
    this.#validations.set(schema, validate);
    try {
      await validate({ data });
      return undefined;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.message.replace(/^data/, place).replace("Did you mean data.", "Did you mean ");
    }
  }
}

/** Returns the address of a record. That of the line takes precedence: metadata may hold internal keys. */
function addressOf(kind: ImportKind, ofLine: Address, own: Address): { organizationId?: string; documentId?: string } {
  if (kind.belongsTo === "workspace") return {};
  const organizationId = ofLine.organizationId ?? own.organizationId;
  const documentId = ofLine.documentId ?? own.documentId;
  return asAddress({
    ...(organizationId !== undefined && { organizationId }),
    ...(documentId !== undefined && { documentId }),
  });
}

/** Casts an address. The caller checks it before it uses it. */
function asAddress(address: Address): { organizationId?: string; documentId?: string } {
  return address as { organizationId?: string; documentId?: string };
}

function parse(text: string): ExportedRecord {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    throw new Error(`is not JSON: ${error instanceof Error ? error.message : error}. Write one object a line.`);
  }
  if (!isObject(line)) throw new Error("must be a JSON object.");
  return line;
}

function unknownKind(name: string): Error {
  const meant = similarName(name, [...IMPORT_KINDS.keys(), ...ADDRESS_FIELDS]);
  const hint = meant ? `Did you mean ${meant}?` : `A line has ${[...IMPORT_KINDS.keys()].join(", ")}.`;
  return new Error(`has an unknown kind ${JSON.stringify(name.slice(0, 100))}. ${hint}`);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeperThan(each, depth - 1));
}
