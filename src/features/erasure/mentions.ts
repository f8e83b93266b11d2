import { userKey } from "../tenancy/user-key.ts";

/** What stands in a text where an id or address stood. */
const REPLACEMENT = "[deleted]";
/** Past so many, one look at each word of a record is cheaper than the database's search for each of them. */
const MAX_PATTERNS = 8;
/** Fields that name people, so that even an id such as `7` is somebody's there. */
const NAMES_PEOPLE =
  /user|person|people|member|author|owner|creator|assign|recipient|participant|review|approv|mention|contact|by(id)?$/i;
/** Or an escape of JSON, lest its letter be taken for a part of the word behind it. */
const WORD = /\\(?:u[\da-f]{4}|.)|[\p{L}\p{N}]+/gu;
/** Texts that a record of its kind always has: where one is an id, it is replaced. */
const ALWAYS_THERE = new Set(["url", "organizationName", "documentName", "groupName"]);
/** Fields that say who an object is. */
const IDENTITY = new Set(["userId", "id"]);

/**
 * Finds users in other people's records and takes them out. A whole value or key of a JSON text that is an id, a user
 * key or an address goes, and beside an id the address and the photo. Inside of a text an address goes, and an id that
 * is written with an `@` or cannot be an ordinary word. An address beside another's id is another's, and stays.
 */
export class Mentions {
  /** For `like any`, over JSON texts with small ASCII letters: what holds none of them mentions nobody. */
  readonly patterns: string[];
  readonly #values: ReadonlySet<string>;
  /** In small letters, as their words are. */
  readonly #addresses: ReadonlySet<string>;
  readonly #addressWords: ReadonlySet<string>;
  readonly #weakValues: ReadonlySet<string>;
  readonly #distinctive: ReadonlySet<string>;
  readonly #userIds: ReadonlySet<string>;
  readonly #words: ReadonlySet<string>;
  readonly #inText: RegExp;

  constructor(userIds: readonly string[], addresses: readonly string[]) {
    const spellings = new Set(addresses.filter(isAddress));
    this.#addresses = new Set([...spellings].map((address) => address.toLowerCase()));
    for (const address of this.#addresses) spellings.add(address);
    const ids = [...userIds, ...userIds.map(userKey)];
    const patterns = [...ids.map(patternOf), ...new Set([...spellings].map(addressPatternOf))];
    this.patterns = patterns.length > MAX_PATTERNS ? ["%"] : patterns;
    this.#values = new Set(ids.filter((id) => !isWeak(id)));
    this.#weakValues = new Set(userIds.filter(isWeak));
    const unlikeWords = [...userIds.filter(isDistinctive), ...userIds.map(userKey)];
    this.#distinctive = new Set(unlikeWords);
    this.#userIds = new Set(userIds);
    // An anchor that is no word, as of an id without letters and digits, lets everything through.
    this.#words = new Set(ids.map(longestWord));
    this.#addressWords = new Set([...spellings].map((address) => longestWord(address).toLowerCase()));
    const alternatives = [
      `(?<![\\p{L}\\p{N}][-_.+]?)(?i:${anyOf(spellings)})(?![\\p{L}\\p{N}]|[-.][\\p{L}\\p{N}])`,
      `(?:(?<![\\p{L}\\p{N}])@(?:${anyOf(userIds)})|(?<![\\p{L}\\p{N}][-_]?)(?:${anyOf(unlikeWords)}))` +
        "(?![\\p{L}\\p{N}]|[-_][\\p{L}\\p{N}])",
    ];
    this.#inText = new RegExp(alternatives.join("|"), "gu");
  }

  /** The record's JSON text without the users; undefined where it mentions none. Fields in `kept` stay. */
  strip(text: string, kept: ReadonlySet<string>): string | undefined {
    if (!this.#mayMention(text)) return undefined;
    const record: unknown = JSON.parse(text);
    if (!isObject(record)) return undefined;
    let isChanged = false;
    for (const name of Object.keys(record)) {
      if (!kept.has(name) && this.#stripField(record, name)) isChanged = true;
    }
    return isChanged ? JSON.stringify(record) : undefined;
  }

  #mayMention(text: string): boolean {
    if (this.#words.has("") || this.#addressWords.has("")) return true;
    for (const [word] of text.matchAll(WORD)) {
      if (this.#words.has(word) || (this.#addressWords.size > 0 && this.#addressWords.has(word.toLowerCase()))) {
        return true;
      }
    }
    return false;
  }

  /** Whether something was changed. */
  #stripField(object: Record<string, unknown>, name: string): boolean {
    const value = object[name];
    if (this.#isAddressOfAnother(object, name)) return false;
    if (typeof value === "string" && this.#isUser(value, name)) {
      if (ALWAYS_THERE.has(name)) object[name] = REPLACEMENT;
      else delete object[name];
      if (IDENTITY.has(name)) for (const field of ["email", "photoUrl"]) delete object[field];
      return true;
    }
    const stripped = this.#stripValue(value, name);
    if (stripped === value) return false;
    if (stripped !== CHANGED) object[name] = stripped;
    return true;
  }

  #isAddressOfAnother(object: Record<string, unknown>, name: string): boolean {
    const { userId } = object;
    return name === "email" && typeof userId === "string" && !this.#userIds.has(userId);
  }

  #isUser(value: string, name: string): boolean {
    if (this.#values.has(value) || this.#isAddress(value)) return true;
    return this.#weakValues.has(value) && NAMES_PEOPLE.test(name);
  }

  #isAddress(value: string): boolean {
    return value.includes("@") && this.#addresses.has(value.toLowerCase());
  }

  /** The value itself where nothing is in it, CHANGED where it was changed in place, or another text. */
  #stripValue(value: unknown, name: string): unknown {
    if (typeof value === "string") return value.replace(this.#inText, REPLACEMENT);
    if (Array.isArray(value)) return this.#stripList(value, name) ? CHANGED : value;
    if (!isObject(value)) return value;
    let isChanged = false;
    const isMapOfPeople = NAMES_PEOPLE.test(name);
    for (const key of Object.keys(value)) {
      if (this.#distinctive.has(key) || this.#isAddress(key) || (isMapOfPeople && this.#isUser(key, name))) {
        delete value[key];
        isChanged = true;
      } else if (this.#stripField(value, key)) isChanged = true;
    }
    return isChanged ? CHANGED : value;
  }

  #stripList(list: unknown[], name: string): boolean {
    let isChanged = false;
    const left = list.filter((item) => !(typeof item === "string" && this.#isUser(item, name)));
    if (left.length < list.length) isChanged = true;
    for (const [index, item] of left.entries()) {
      const stripped = this.#stripValue(item, name);
      if (stripped === item) continue;
      if (stripped !== CHANGED) left[index] = stripped;
      isChanged = true;
    }
    if (isChanged) list.splice(0, list.length, ...left);
    return isChanged;
  }
}

const CHANGED = Symbol("changed in place");

/** Numbers and one or two letters are values of many other things too. */
function isWeak(id: string): boolean {
  return /^\d+$/.test(id) || id.length < 3;
}

/** No ordinary word: long enough, and not only letters. */
function isDistinctive(id: string): boolean {
  return id.length >= 6 && !isWeak(id) && /[^\p{L}\s]/u.test(id);
}

/** Whatever was sent as `email` is kept; taken out of others' records is only what looks like one. */
function isAddress(email: string): boolean {
  return /^[^\s@]+@[^\s@]{3,}$/.test(email);
}

function longestWord(needle: string): string {
  return longestFirst(JSON.stringify(needle).match(WORD) ?? [])[0] ?? "";
}

/** For a regular expression. */
function anyOf(texts: Iterable<string>): string {
  return longestFirst([...texts].map((text) => RegExp.escape(text))).join("|") || "(?!)";
}

function longestFirst(texts: readonly string[]): string[] {
  return texts.toSorted((a, b) => b.length - a.length);
}

/** As it stands in a JSON text whose ASCII letters are small. */
function patternOf(needle: string): string {
  const escaped = JSON.stringify(needle)
    .slice(1, -1)
    .replace(/[\\%_]/g, "\\$&");
  return `%${escaped.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())}%`;
}

/** Of the capitals of other alphabets PostgreSQL knows what the database's locale does: any text may stand there. */
function addressPatternOf(address: string): string {
  return patternOf(address).replace(/\P{ASCII}+/gu, "%");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
