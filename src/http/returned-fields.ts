import { isDeepStrictEqual } from "node:util";
import type { FastifyRequest } from "fastify";
import { type Issue, ServiceError, unknownFields } from "../contract/errors.ts";
import {
  type AuthenticatedOperation,
  type Context,
  JsonText,
  Page,
  type ReturnedRecords,
} from "../contract/operation.ts";
import { pathText } from "../contract/path-text.ts";
import { isObject } from "../json/is-object.ts";
import type { FindRoles } from "./end-user-rule.ts";
import { namesIn } from "./json-pointer.ts";
import { RequestChecks } from "./request-checks.ts";
import type { InvalidValue } from "./validation.ts";

type Fields = Record<string, unknown>;
type Id = string | number;

/** A record in a request. */
interface SentRecord {
  /** Names and indexes that lead to it from `data`. */
  path: (string | number)[];
  fields: Fields;
  ids: Id[];
}

/** An invalid value in a field of a returned record. */
interface ReturnedField {
  /** Names inside of the record. */
  names: string[];
  isUnknown: boolean;
  /** Whether the response declares it. Others are further fields of objects that are stored as sent, such as users. */
  isDeclared: boolean;
}

/** Stands for the ID of settings, which have none. */
const SETTINGS = "";

/** Number of times that a request is checked: one check reports up to 100 invalid values. */
const MAX_CHECKS = 10;

/**
 * Length of the JSON texts that are read for a request. What callers send back is smaller, but a small request may name
 * 1,000 records, which would take several gigabytes.
 */
const MAX_READ_LENGTH = 16 * 1024 * 1024;

/** Leaves out the fields of records that callers send as another operation has returned them. */
export class ReturnedFields {
  readonly #returned: ReturnedRecords;
  readonly #checks: RequestChecks;
  #places: ReadonlySet<string> | undefined;

  constructor(returned: ReturnedRecords, findRoles: FindRoles) {
    this.#returned = returned;
    this.#checks = new RequestChecks(returned.by, findRoles);
  }

  /** Returns whether the caller may read the records, and so may learn what differs from them. */
  mayRead({ scopes }: FastifyRequest): boolean {
    return scopes?.includes(this.#returned.by.scope) ?? true;
  }

  /**
   * Deletes what is invalid in a request and equals what is stored. Throws INVALID_ARGUMENT if a field that only the
   * service sets differs. Leaves what is invalid in a record that is not stored, and everything if too much is stored.
   * Reads nothing unless the request has such a field.
   */
  async leaveOut(
    request: FastifyRequest,
    checks: RequestChecks,
    buildContext: (by: AuthenticatedOperation) => Context,
  ): Promise<void> {
    const inspected = checks.inspect(request);
    if (!inspected) return;
    const { data, findInvalid } = inspected;
    const records = this.#findRecords(data);
    const found = new Set<string>();
    let stored: Map<Id, Fields> | undefined;
    const differing: Issue[] = [];
    for (let check = 0; check < MAX_CHECKS; check++) {
      // The checks of all callers and those of users may find the same field.
      const fresh = new Map(this.#findFields(findInvalid()).map((field) => [JSON.stringify(field), field]));
      for (const key of found) fresh.delete(key);
      if (fresh.size === 0) break;
      stored ??= await this.#read(request, data, records, buildContext(this.#returned.by)).catch(ignoreRejection);
      if (!stored) return;
      const known = stored;
      for (const [key, field] of fresh) {
        found.add(key);
        const sent = records.filter((record) => this.#leaveOutOf(record, field.names, known) === "differs");
        if (field.isUnknown && field.isDeclared)
          differing.push(...sent.map(({ path }) => toIssue([...path, ...field.names])));
      }
    }
    const [first, ...others] = differing;
    if (first) throw unknownFields(first, ...others);
  }

  /** Returns the records in the request. Gives those that have their ID under its other name the one of the request. */
  #findRecords(data: Fields): SentRecord[] {
    const { field, id = "", returnedId = id, ids } = this.#returned;
    const value = field === undefined ? data : data[field];
    const isList = Array.isArray(value);
    const listed: unknown[] = isList ? value : [value];
    return listed.flatMap((fields, index) => {
      if (!isObject(fields)) return [];
      if (fields[id] === undefined && isId(fields[returnedId])) fields[id] = fields[returnedId];
      const named = ids === undefined ? fields[id] : data[ids];
      const path = [...(field === undefined ? [] : [field]), ...(isList ? [index] : [])];
      return [{ path, fields, ids: id === "" ? [SETTINGS] : [named].flat().filter(isId) }];
    });
  }

  /** Returns the invalid values that are in fields of a returned record. */
  #findFields(invalid: InvalidValue[]): ReturnedField[] {
    const { field, id, ids } = this.#returned;
    this.#places ??= new Set(getPlaces(this.#returned.by.response));
    return invalid.flatMap(({ pointer, isUnknown }) => {
      const names = namesIn(pointer);
      if (field !== undefined && names.shift() !== field) return [];
      if (field !== undefined && /^\d+$/.test(names[0] ?? "")) names.shift();
      // The ID of the record itself must stay.
      if (names.length === 0 || (ids === undefined && names[0] === id)) return [];
      const fields = names.filter((name) => !/^\d+$/.test(name));
      const isKnown = (name: string, index: number) => this.#places?.has(toPlace(name, fields[index - 1])) === true;
      return fields.slice(0, 1).every(isKnown) ? [{ names, isUnknown, isDeclared: fields.every(isKnown) }] : [];
    });
  }

  /** Deletes a field of a record if it equals what is stored, and returns whether the record has one that differs. */
  #leaveOutOf({ fields, ids }: SentRecord, names: string[], stored: Map<Id, Fields>): "differs" | "ignored" {
    const parent = names.slice(0, -1).reduce<unknown>((value, name) => Object(value)[name], fields);
    const last = names.at(-1) ?? "";
    if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, last)) return "ignored";
    const known = ids.map((id) => stored.get(id)).filter((record) => record !== undefined);
    if (known.length === 0) return "ignored";
    const getStored = (record: Fields) => names.reduce<unknown>((value, name) => Object(value)[name], record);
    const sent: unknown = Reflect.get(parent, last);
    if (!known.every((record) => isDeepStrictEqual(getStored(record), sent))) return "differs";
    Reflect.deleteProperty(parent, last);
    return "ignored";
  }

  /** Reads what is stored as the caller would, by ID. Returns undefined if it is too much. */
  async #read(
    request: FastifyRequest,
    data: Fields,
    records: SentRecord[],
    context: Context,
  ): Promise<Map<Id, Fields> | undefined> {
    const { by, id = "", returnedId = id, maxIds = Infinity } = this.#returned;
    const ids = [...new Set(records.flatMap((record) => record.ids))];
    const stored = new Map<Id, Fields>();
    if (ids.length === 0) return stored;
    let length = 0;
    for (let start = 0; start < ids.length; start += maxIds) {
      const asked = this.#returned.request(data, ids.slice(start, start + maxIds));
      const valid = this.#checks.validate(request, { data: asked });
      await this.#checks.authorize(request, valid);
      do {
        const response = await by.handle(context, valid);
        const sent = response instanceof Page ? response.data : response;
        if (sent instanceof JsonText) length += sent.text.length;
        if (length > MAX_READ_LENGTH) return undefined;
        const found = id === "" ? [Object(sent)] : getRecords(sent);
        for (const record of found) stored.set(getId(record, returnedId), record);
        context.cursor = response instanceof Page ? response.next : undefined;
      } while (context.cursor !== undefined);
    }
    return stored;
  }
}

const DIFFERS =
  "is not a field of this operation. It is set by the service and differs from what is stored: leave it out, or send " +
  "it as it was returned.";

/** Lets the request itself be rejected if what is stored cannot be read, such as for an invalid ID. */
function ignoreRejection(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error;
}

function toIssue(path: (string | number)[]): Issue {
  return { path: pathText(["data", ...path]), message: DIFFERS };
}

/** Returns the records in a response, which is a list of them or has one. */
function getRecords(data: unknown): Fields[] {
  const parsed: unknown = data instanceof JsonText ? JSON.parse(data.text) : data;
  const lists = Array.isArray(parsed) ? [parsed] : Object.values(Object(parsed)).filter(Array.isArray);
  return lists.flat().filter(isObject);
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number";
}

function getId(record: Fields, name: string): Id {
  const value = record[name];
  return isId(value) ? value : SETTINGS;
}

/** Returns the text for a field inside of another, and for one of a record, which may be anywhere in a response. */
function toPlace(name: string, parent = ""): string {
  return `${parent}.${name}`;
}

/** Returns the places of all fields in a response. */
function getPlaces(schema: unknown, parent?: string): string[] {
  const { properties, items, anyOf, allOf } = Object(schema);
  const others = [items, anyOf, allOf].flat().filter((one) => one !== undefined);
  return [
    ...Object.entries(Object(properties)).flatMap(([name, field]) => {
      return [toPlace(name), toPlace(name, parent), ...getPlaces(field, name)];
    }),
    ...others.flatMap((other) => getPlaces(other, parent)),
  ];
}
