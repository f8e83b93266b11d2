import { getAccessFields } from "../../contract/access-context.ts";
import { findAddress } from "../../email/address.ts";
import { isObject } from "../../json/is-object.ts";
import { userKey } from "../tenancy/organization-key.ts";
import { findNamedAddresses } from "./named-addresses.ts";
import { decodeParts, decodeText, ENCODED_SEPARATOR, getEncodedSpellings, matchEncoded } from "./percent-encoding.ts";

/** Text that replaces an ID or address inside a longer text. */
export const REPLACEMENT = "[deleted]";
/** Maximum number of patterns for the database. Past it, checking each word of a record here is cheaper. */
const MAX_PATTERNS = 8;
/** Names of fields that refer to users, in which even an ID such as `7` is a user's. */
const USER_FIELD_NAME =
  /user|person|people|member|author|owner|creator|assign|recipient|participant|review|approv|mention|contact|by(id)?$/i;
/** A word, or a JSON escape, whose letter must not be taken for the start of the next word. */
const WORD = /\\(?:u[\da-f]{4}|.)|[\p{L}\p{N}]+/gu;
/** Fields that a record must keep, and texts: an ID that is all of their value is replaced rather than removed. */
const REPLACED_FIELDS = new Set([
  ...["url", "selector", "organizationName", "documentName", "folderName", "groupName", "targetEntityId"],
  ...["commentText", "commentHtml", "displayMessageTemplate", "displayHeadlineMessageTemplate"],
  ...["displayBodyMessage", "displayBodyMessageTemplate", "notificationSource"],
]);
/** Values of `notificationSource` that name a feature, even if a user has such an ID. */
const FEATURES = new Set(["comment", "crdt", "custom", "recorder"]);
/** Fields that identify an object. */
const IDENTITY = new Set(["userId", "id"]);

/**
 * Finds mentions of users in records of other users and removes them. Removes values and keys of a JSON text that are
 * an ID, a user key or an address, and next to an ID also the address and the photo. Inside a longer text, removes an
 * address, and an ID that follows an `@` or cannot be an ordinary word. Keeps an address next to another user's ID.
 */
export class Mentions {
  /** Patterns for `like any` over lower-case JSON texts. A text that matches none mentions nobody. */
  readonly patterns: string[];
  readonly #values: ReadonlySet<string>;
  /** Addresses in lower case. */
  readonly #addresses: ReadonlySet<string>;
  readonly #addressWords: ReadonlySet<string>;
  /** IDs such as `7` that many other values equal. They are mentions only in fields that refer to users. */
  readonly #ambiguousIds: ReadonlySet<string>;
  /** User keys, and IDs that no ordinary word equals. They are mentions as keys of any object. */
  readonly #unambiguousIds: ReadonlySet<string>;
  readonly #userIds: ReadonlySet<string>;
  readonly #words: ReadonlySet<string>;
  readonly #addressesInText: RegExp;
  readonly #idsInText: RegExp;

  constructor(userIds: readonly string[], addresses: readonly string[]) {
    const spellings = new Set(addresses.map(findAddress).filter(isAddress));
    this.#addresses = new Set([...spellings].map((address) => address.toLowerCase()));
    for (const address of this.#addresses) spellings.add(address);
    const ids = [...userIds, ...userIds.map(userKey)];
    const patterns = new Set([...ids.flatMap(buildPatterns), ...[...spellings].flatMap(buildAddressPatterns)]);
    this.patterns = patterns.size > MAX_PATTERNS ? ["%"] : [...patterns];
    this.#values = new Set(ids.filter((id) => !isAmbiguous(id)));
    this.#ambiguousIds = new Set(userIds.filter(isAmbiguous));
    const unlikeWords = [...userIds.filter(isUnambiguous), ...userIds.map(userKey)];
    this.#unambiguousIds = new Set(unlikeWords);
    this.#userIds = new Set(userIds);
    // An ID without letters and digits has no word; it matches every text.
    this.#words = new Set(ids.map(longestWord));
    this.#addressWords = new Set([...spellings].map((address) => longestWord(address).toLowerCase()));
    // Two expressions, because one would need a group `(?i:…)`, in which V8 respects the case of alternatives once a
    // process has so much executable memory that it compiles without optimization, as with --no-regexp-optimization.
    this.#addressesInText = new RegExp(
      `${startsWord("[-_.+]?")}(?:${matchAny(spellings)})(?![\\p{L}\\p{N}]|[-.][\\p{L}\\p{N}])`,
      "giu",
    );
    this.#idsInText = new RegExp(
      `(?:${startsWord()}${matchEncoded("@")}(?:${matchAny(userIds)})` +
        `|${startsWord("[-_]?")}(?:${matchAny(unlikeWords)}))(?![\\p{L}\\p{N}]|[-_][\\p{L}\\p{N}])`,
      "gu",
    );
  }

  /**
   * Returns the record's JSON text without the users, or undefined if it mentions none. Fields in `kept` stay: `name`
   * is a field of the record, `name.inner` a field of an object in it.
   */
  redact(text: string, kept: ReadonlySet<string> = NOTHING): string | undefined {
    if (!this.#mayMention(text)) return undefined;
    const record: unknown = JSON.parse(text);
    if (!isObject(record)) return undefined;
    return this.including(record).#redactObject(record, "", kept) ? JSON.stringify(record) : undefined;
  }

  /** Returns whether a record mentions the users. */
  areIn(text: string): boolean {
    return this.redact(text) !== undefined;
  }

  /** Returns the mentions with the addresses that a record says are those of the users. */
  including(record: object): Mentions {
    const named = [...findNamedAddresses(record, this.#userIds)].map(findAddress);
    const found = named.filter((address) => !this.#isAddress(address));
    return found.length === 0 ? this : new Mentions([...this.#userIds], [...this.#addresses, ...found]);
  }

  #mayMention(text: string): boolean {
    if (this.#words.has("") || this.#addressWords.has("") || this.#hasWord(text)) return true;
    return text.includes("%") && this.#hasWord(decodeParts(text));
  }

  #hasWord(text: string): boolean {
    for (const [word] of text.matchAll(WORD)) {
      if (this.#words.has(word) || (this.#addressWords.size > 0 && this.#addressWords.has(word.toLowerCase()))) {
        return true;
      }
    }
    return false;
  }

  /** Removes mentions from a field, and keeps these fields of an object in it. Returns whether something changed. */
  #redactField(object: Record<string, unknown>, name: string, kept: ReadonlySet<string>): boolean {
    const value = object[name];
    if (kept.size > 0 && isObject(value)) return this.#redactObject(value, name, kept);
    if (this.#isAddressOfAnother(object, name)) return false;
    if (name === "notificationSource" && FEATURES.has(String(value))) return false;
    if (typeof value === "string" && this.#isUser(value, name)) {
      if (REPLACED_FIELDS.has(name)) object[name] = REPLACEMENT;
      else delete object[name];
      if (IDENTITY.has(name)) for (const field of ["email", "photoUrl"]) delete object[field];
      return true;
    }
    const redacted = this.#redactValue(value, name);
    if (redacted === value) return false;
    if (redacted !== CHANGED) object[name] = redacted;
    return true;
  }

  #isAddressOfAnother(object: Record<string, unknown>, name: string): boolean {
    const { userId } = object;
    return name === "email" && typeof userId === "string" && !this.#userIds.has(userId);
  }

  #isUser(value: string, name: string): boolean {
    if (this.#values.has(decodeText(value)) || this.#isAddress(value)) return true;
    return this.#ambiguousIds.has(value) && USER_FIELD_NAME.test(name);
  }

  #isAddress(value: string): boolean {
    const address = decodeText(value);
    return address.includes("@") && this.#addresses.has(address.toLowerCase());
  }

  /** Returns the value if nothing was found, CHANGED if it was changed in place, or a new text. */
  #redactValue(value: unknown, name: string): unknown {
    if (typeof value === "string") {
      return value.replace(this.#addressesInText, REPLACEMENT).replace(this.#idsInText, REPLACEMENT);
    }
    if (Array.isArray(value)) return this.#redactList(value, name) ? CHANGED : value;
    if (!isObject(value)) return value;
    return this.#redactObject(value, name) ? CHANGED : value;
  }

  /** Removes mentions from the object in the field `name`, "" for a record. Returns whether something changed. */
  #redactObject(value: Record<string, unknown>, name: string, kept: ReadonlySet<string> = NOTHING): boolean {
    let isChanged = false;
    const isMapOfUsers = USER_FIELD_NAME.test(name);
    const { access } = value;
    if (name === "context" && isObject(access)) isChanged = this.#replaceInPairs(access);
    for (const key of Object.keys(value)) {
      if (kept.has(key)) continue;
      if (
        this.#unambiguousIds.has(decodeText(key)) ||
        this.#isAddress(key) ||
        (isMapOfUsers && this.#isUser(key, name))
      ) {
        delete value[key];
        isChanged = true;
      } else if (this.#redactField(value, key, innerFields(kept, key))) isChanged = true;
    }
    if (isChanged && name === "context" && isObject(access) && "accessFields" in value) {
      value.accessFields = getAccessFields(access);
    }
    return isChanged;
  }

  /**
   * Replaces mentions in the pairs of an access context. Without a pair, users would see the record who must not.
   * Nobody holds a pair that was replaced.
   */
  #replaceInPairs(access: Record<string, unknown>): boolean {
    let isChanged = false;
    for (const [field, value] of Object.entries(access)) {
      const isFieldUser = this.#unambiguousIds.has(decodeText(field)) || this.#isAddress(field);
      const isValueUser = typeof value === "string" && this.#isUser(value, field);
      if (!isFieldUser && !isValueUser) continue;
      if (isFieldUser) delete access[field];
      access[isFieldUser ? REPLACEMENT : field] = isValueUser ? REPLACEMENT : value;
      isChanged = true;
    }
    return isChanged;
  }

  /** Replaces mentions in the texts of pairs, which a record may have without the pairs themselves. */
  #replaceInFields(list: unknown[]): boolean {
    let isChanged = false;
    for (const [index, item] of list.entries()) {
      const [, field = "", value = ""] = /^([^:]*):(.*)$/s.exec(String(item)) ?? [];
      const isFieldUser = this.#unambiguousIds.has(decodeText(field)) || this.#isAddress(field);
      const isValueUser = this.#isUser(value, field);
      if (!isFieldUser && !isValueUser) continue;
      list[index] = `${isFieldUser ? REPLACEMENT : field}:${isValueUser ? REPLACEMENT : value}`;
      isChanged = true;
    }
    return isChanged;
  }

  #redactList(list: unknown[], name: string): boolean {
    let isChanged = false;
    if (name === "accessFields") isChanged = this.#replaceInFields(list);
    const left = list.filter((item) => !(typeof item === "string" && this.#isUser(item, name)));
    if (left.length < list.length) isChanged = true;
    for (const [index, item] of left.entries()) {
      const redacted = this.#redactValue(item, name);
      if (redacted === item) continue;
      if (redacted !== CHANGED) left[index] = redacted;
      isChanged = true;
    }
    if (isChanged) list.splice(0, list.length, ...left);
    return isChanged;
  }
}

const CHANGED = Symbol("changed in place");
const NOTHING: ReadonlySet<string> = new Set();

/** Returns the kept fields of the object in a field. */
function innerFields(kept: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const start = `${name}.`;
  return new Set([...kept].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length)));
}

/** Returns whether the ID is so short or plain that it is a common value elsewhere. */
function isAmbiguous(id: string): boolean {
  return /^\d+$/.test(id) || id.length < 3;
}

/** Returns whether the ID cannot be an ordinary word: it is long enough and has more than letters. */
function isUnambiguous(id: string): boolean {
  return id.length >= 6 && !isAmbiguous(id) && /[^\p{L}\s]/u.test(id);
}

/** Returns whether a stored `email`, which may be any text, looks like an address. */
function isAddress(email: string): boolean {
  return /^[^\s@]+@[^\s@]{3,}$/.test(email);
}

function longestWord(needle: string): string {
  return sortByLength(JSON.stringify(needle).match(WORD) ?? [])[0] ?? "";
}

/** Returns a regular expression's source that matches any of the texts, also percent-encoded. */
function matchAny(texts: Iterable<string>): string {
  return (
    sortByLength([...texts])
      .map(matchEncoded)
      .join("|") || "(?!)"
  );
}

/** Returns a regular expression's source that matches between words, which these characters join. */
function startsWord(joiners = ""): string {
  return `(?:(?<![\\p{L}\\p{N}]${joiners})|(?<=${ENCODED_SEPARATOR}))`;
}

function sortByLength(texts: readonly string[]): string[] {
  return texts.toSorted((a, b) => b.length - a.length);
}

/** Returns the `like` patterns of a text, also encoded, in a JSON text whose ASCII letters are lower case. */
function buildPatterns(needle: string): string[] {
  // A percent sign of an encoded spelling is followed by anything: by a further encoding of itself, or the digits.
  const encoded = getEncodedSpellings(needle).map((spelling) => escapeJson(spelling.replaceAll("%20", "%")));
  return [escapeJson(needle).replaceAll("%", "\\%"), ...encoded].map((pattern) => {
    return `%${pattern.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())}%`;
  });
}

/** Returns a text in JSON, escaped for a `like` pattern except for percent signs. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1).replace(/[\\_]/g, "\\$&");
}

/** Returns an address's patterns. Letters beyond ASCII match any text, because their case depends on the locale. */
function buildAddressPatterns(address: string): string[] {
  return buildPatterns(address).map((pattern) => pattern.replace(/\P{ASCII}+/gu, "%"));
}
