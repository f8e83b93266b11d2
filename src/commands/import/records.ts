import type { TSchema } from "typebox";
import Type from "typebox";
import { similarName } from "../../config/similar-name.ts";
import { ServiceError } from "../../contract/errors.ts";
import { Identifier } from "../../contract/schema.ts";
import type { ExportedRecord, ImportKind, ParentIds } from "../../features/imports/import-kind.ts";
import type { ImportedRecord } from "../../features/imports/importer.ts";
import { IMPORT_KINDS } from "../../features/imports/kinds.ts";
import { RESOURCE_FIELDS } from "../../features/users/resource.ts";
import { MAX_DEPTH } from "../../http/json-scanner.ts";
import { compileValidation } from "../../http/validation.ts";
import { isObject } from "../../json/is-object.ts";

const PARENT_FIELDS = ["organizationId", "documentId", "folderId"];

const PARENT_SCHEMAS: Record<ImportKind["belongsTo"], TSchema> = {
  workspace: Type.Object({}),
  organization: Type.Object({ organizationId: Identifier, documentId: Type.Optional(Identifier) }),
  resource: Type.Refine(
    Type.Object({ organizationId: Identifier, ...RESOURCE_FIELDS }),
    ({ documentId, folderId }) => documentId === undefined || folderId === undefined,
    () => "must not belong to both a document and a folder",
  ),
  document: Type.Object({ organizationId: Identifier, documentId: Identifier }),
};

/** Records of one kind in a line. */
export interface GivenRecords {
  name: string;
  kind: ImportKind;
  given: readonly unknown[];
  /** ParentIds that the line names for all of them. */
  lineParents: ParentIds;
}

/** Record that its schema has accepted, or its error. `field` is its path in the line, such as `users[3]`. */
export type CheckedRecord = { field: string; record: ImportedRecord } | { field: string; error: string };

/** Reads and checks the lines of an export. */
export class RecordReader {
  readonly #validations = new Map<object, ReturnType<typeof compileValidation>>();

  /** Returns the records of a line by kind. Throws an Error that says what is wrong with the line as a whole. */
  read(text: string): GivenRecords[] {
    const line = parse(text);
    for (const name of Object.keys(line)) {
      if (!PARENT_FIELDS.includes(name) && !IMPORT_KINDS.has(name)) throw unknownKind(name);
    }
    const found = [...IMPORT_KINDS].filter(([name]) => Object.hasOwn(line, name));
    if (found.length === 0) throw new Error(`has none of ${[...IMPORT_KINDS.keys()].join(", ")}.`);
    const { organizationId, documentId, folderId } = line;
    return found.map(([name, kind]) => {
      const given = line[name];
      if (!Array.isArray(given)) throw new Error(`must have a list of records in ${name}.`);
      return { name, kind, given, lineParents: { organizationId, documentId, folderId } };
    });
  }

  /** Checks the records from a position, as many as one batch has. */
  checkBatch({ name, kind, given, lineParents }: GivenRecords, start: number): CheckedRecord[] {
    const checked: CheckedRecord[] = [];
    for (let index = start; index < Math.min(start + kind.batchSize, given.length); index++) {
      checked.push(this.#check(kind, `${name}[${index}]`, given[index], lineParents));
    }
    return checked;
  }

  #check(kind: ImportKind, field: string, record: unknown, lineParents: ParentIds): CheckedRecord {
    if (!isObject(record)) return { field, error: `${field} must be an object.` };
    if (isDeeperThan(record, MAX_DEPTH)) return { field, error: `${field} is nested deeper than ${MAX_DEPTH} levels.` };
    const { item, ...own } = kind.convert(record);
    const parents = getParentIds(kind, lineParents, own);
    const error =
      this.#findError(PARENT_SCHEMAS[kind.belongsTo], parents, field) ?? this.#findError(kind.schema, item, field);
    if (error !== undefined) return { field, error };
    const { organizationId = "", documentId, folderId } = parents;
    return { field, record: { organizationId, documentId, folderId, item } };
  }

  /** Returns what is wrong with a value, by its path in the line; undefined if it is valid. */
  #findError(schema: TSchema, data: object, field: string): string | undefined {
    const validate = this.#validations.get(schema) ?? compileValidation(schema, "record");
    this.#validations.set(schema, validate);
    try {
      validate({ data });
      return undefined;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.message.replace(/^data/, field).replace("Did you mean data.", "Did you mean ");
    }
  }
}

type TextParentIds = { [Field in keyof ParentIds]?: string };

/** Returns the parents of a record. Those of the line take precedence: metadata may hold internal keys. */
function getParentIds(kind: ImportKind, lineParents: ParentIds, own: ParentIds): TextParentIds {
  if (kind.belongsTo === "workspace") return {};
  const { folderId } = lineParents;
  const organizationId = lineParents.organizationId ?? own.organizationId;
  const documentId = lineParents.documentId ?? own.documentId;
  return asParentIds({
    ...(organizationId !== undefined && { organizationId }),
    ...(documentId !== undefined && { documentId }),
    ...(folderId !== undefined && { folderId }),
  });
}

/** Casts the IDs. The caller checks them before it uses them. */
function asParentIds(ids: ParentIds): TextParentIds {
  return ids as TextParentIds;
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
  const meant = similarName(name, [...IMPORT_KINDS.keys(), ...PARENT_FIELDS]);
  const hint = meant ? `Did you mean ${meant}?` : `A line has ${[...IMPORT_KINDS.keys()].join(", ")}.`;
  return new Error(`has an unknown kind ${JSON.stringify(name.slice(0, 100))}. ${hint}`);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeperThan(each, depth - 1));
}
