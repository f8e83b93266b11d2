import { setFlagsFromString } from "node:v8";
import { expect, onTestFinished, test } from "vitest";
import { Mentions } from "./mentions.ts";

const NOTHING_KEPT: ReadonlySet<string> = new Set();

const R = "[deleted]";
const TO = `https://x.org/?to=${R}`;
const TWICE = `https://x.org/?q=%3Fto%3D${R}`;
const TAG = { userId: "ada", contact: { email: "old@x.org" } };
const NO_TAG = { taggedUserContacts: [{ contact: {} }] };
const FIELDS = [`${R}:1`, "b:2"];
const FIELD_PAIR = { context: { access: { "auth0%7C123": "x" } } };

/** Returns the record without these users, or undefined if it stays unchanged. */
function redact(record: object, userIds: string[], addresses: string[] = []): unknown {
  const text = new Mentions(userIds, addresses).redact(JSON.stringify(record), NOTHING_KEPT);
  return text === undefined ? undefined : JSON.parse(text);
}

test.each<[string, object, string[], string[], unknown]>([
  ["a value", { a: "ada-77", b: 1 }, ["ada-77"], [], { b: 1 }],
  ["an entry of a list in a list", { a: [["x", "ada-77"]] }, ["ada-77"], [], { a: [["x"]] }],
  ["a key in a free object", { a: { "ada-77": 1, b: 2 } }, ["ada-77"], [], { a: { b: 2 } }],
  ["a key of the record", { "ada-77": 1, "Ada@x.org": 2, b: 3 }, ["ada-77"], ["Ada@x.org"], { b: 3 }],
  ["an identity", { a: { userId: "ada", name: "Ada", email: "x@y.zz" } }, ["ada"], [], { a: { name: "Ada" } }],
  ["an address in a text", { a: "to <Ada@x.org>!" }, ["ada"], ["Ada@x.org"], { a: "to <[deleted]>!" }],
  ["an address that was stored with white space", { a: "ada@x.org" }, ["ada"], ["\u00a0Ada@x.org \n"], {}],
  ["an address that was stored with a name", { a: "ada@x.org" }, ["ada"], ["Ada <Ada@x.org>"], {}],
  ["an address that was stored as a URL", { a: "ada@x.org" }, ["ada"], ["mailto:Ada@x.org?subject=Hi"], {}],
  ["an encoded address in a URL", { a: "https://x.org/?to=ada%40x.org&b" }, [], ["Ada@x.org"], { a: `${TO}&b` }],
  ["an address encoded in another case", { a: "/ADA%2bA%40X.org" }, [], ["ada+a@x.org"], { a: "/[deleted]" }],
  ["an address of which only the sign is encoded", { a: "/ada+a%40x.org" }, [], ["ada+a@x.org"], { a: "/[deleted]" }],
  ["an address encoded twice", { a: `https://x.org/?q=%3Fto%3Dada%2540x.org` }, [], ["ada@x.org"], { a: TWICE }],
  ["an encoded address as a value", { a: "ada%40x.org", b: ["ada%2540x.org"] }, [], ["ada@x.org"], { b: [] }],
  ["an encoded address as a key", { a: { "ada%40x.org": 1, b: 2 } }, [], ["ada@x.org"], { a: { b: 2 } }],
  ["an encoded address of letters beyond ASCII", { a: "/zo%C3%AB%40x.org." }, [], ["zoë@x.org"], { a: "/[deleted]." }],
  ["an encoded ID in a URL", { a: "/users/auth0%7C123/x" }, ["auth0|123"], [], { a: "/users/[deleted]/x" }],
  ["an encoded ID in another case", { a: "/users/auth0%7c123?x" }, ["auth0|123"], [], { a: "/users/[deleted]?x" }],
  ["an ID encoded twice", { a: "?u=auth0%257C123" }, ["auth0|123"], [], { a: "?u=[deleted]" }],
  ["an encoded ID of signs and letters", { a: "/gr%C3%B6%C3%9Fe%2F7" }, ["größe/7"], [], { a: "/[deleted]" }],
  ["an ID encoded for a form", { a: "?u=ada+l.+7%21" }, ["ada l. 7!"], [], { a: "?u=[deleted]" }],
  ["an encoded ID as a value", { userId: "auth0%7C123", b: 1 }, ["auth0|123"], [], { b: 1 }],
  ["an encoded mention", { a: "/?q=%40ada" }, ["ada"], [], { a: "/?q=[deleted]" }],
  ["an encoded ID as a field of pairs", FIELD_PAIR, ["auth0|123"], [], { context: { access: { [R]: "x" } } }],
  ["a field in the texts of pairs", { accessFields: ["ada-77:1", "b:2"] }, ["ada-77"], [], { accessFields: FIELDS }],
  ["the source of a notification", { notificationSource: "ada-77" }, ["ada-77"], [], { notificationSource: R }],
  ["an address next to the ID", { a: "old@x.org", b: { userId: "ada", email: "Old@x.org" } }, ["ada"], [], { b: {} }],
  [
    "the address of a tag",
    { text: "old@x.org!", taggedUserContacts: [TAG] },
    ["ada"],
    [],
    { text: `${R}!`, ...NO_TAG },
  ],
  ["an address in small letters", { a: "ada@x.org" }, ["ada"], ["Ada@x.org"], {}],
  ["an address in capitals", { a: "ADA@X.ORG", b: ["adA@x.Org"] }, ["ada"], ["Ada@x.org"], { b: [] }],
  ["an address in capitals in a text", { a: "or ADA@X.ORG?" }, ["ada"], ["ada@x.org"], { a: "or [deleted]?" }],
  ["an address in capitals as a key", { a: { "ADA@x.org": 1, b: 2 } }, ["ada"], ["ada@x.org"], { a: { b: 2 } }],
  ["an address in capitals of another alphabet", { a: "<ÉVE@X.ORG>" }, ["ada"], ["éve@x.org"], { a: "<[deleted]>" }],
  ["a mention after a line break", { a: "hello\n@ada, see" }, ["ada"], [], { a: "hello\n[deleted], see" }],
  ["an id after a line break", { a: "hello\nada-77" }, ["ada-77"], [], { a: "hello\n[deleted]" }],
  ["an id of quotes and signs", { a: '$"\\' }, ['$"\\'], [], {}],
  ["a short id in a field of users", { userIds: ["7", "8"], page: "7" }, ["7"], [], { userIds: ["8"], page: "7" }],
  ["a name that a record always has", { groupName: "ada" }, ["ada"], [], { groupName: "[deleted]" }],
  ["a required ID", { targetEntityId: "ada" }, ["ada"], [], { targetEntityId: "[deleted]" }],
  ["the whole text", { commentText: "ada", b: [] }, ["ada"], [], { commentText: "[deleted]", b: [] }],
])("%s is redacted", (_title, record, userIds, addresses, expected) => {
  expect(redact(record, userIds, addresses)).toEqual(expected);
});

test.each<[string, object, string[], string[]]>([
  ["a word like an id, in a text", { a: "I will come" }, ["will"], []],
  ["a part of a longer id", { a: "ada-77-b and my-ada-77 and ada-770", b: "ada-770" }, ["ada-77"], []],
  ["a part of a longer address", { a: "x.ada@x.org, ada@x.org.uk" }, ["nobody"], ["ada@x.org"]],
  ["a field's name like an id", { changes: { title: 1 }, a: { title: 2 } }, ["title", "changes"], []],
  ["a number in a text", { a: "page 42", b: "42", c: 42 }, ["42"], []],
  ["an address of another user", { a: { userId: "bob", email: "team@x.org" } }, ["ada"], ["team@x.org"]],
  ["an id in other capitals", { a: "ADA-77", b: "@ADA, ask ADA-77" }, ["ada", "ada-77"], []],
  ["an encoded part of a longer address", { a: "/x%2Bada%40x.org /x.ada%40x.org" }, ["nobody"], ["ada@x.org"]],
  ["an encoded part of a longer ID", { a: "/xauth0%7C123 /auth0%7C1234" }, ["auth0|123"], []],
  ["a percent sign before an ID's letters", { a: "100%ada-770 and %zz" }, ["ada-77"], []],
  ["a feature with the name of a user", { notificationSource: "comment" }, ["comment"], []],
  ["an invalid address", { a: "none" }, ["ada"], ["none"]],
])("%s stays", (_title, record, userIds, addresses) => {
  expect(redact(record, userIds, addresses)).toBeUndefined();
});

test("a kept field of an inner object stays, and the rest of the object is redacted", () => {
  const record = { location: { id: "ada-77", owner: "ada-77" }, id: "ada-77", other: { location: { id: "ada-77" } } };
  const redacted = new Mentions(["ada-77"], []).redact(JSON.stringify(record), new Set(["id", "location.id"]));
  expect(JSON.parse(redacted ?? "")).toEqual({ location: { id: "ada-77" }, id: "ada-77", other: { location: {} } });
});

test("a record that mentions users only in kept fields stays as it is", () => {
  const record = { location: { id: "ada-77" }, id: "ada-77" };
  const kept = new Set(["id", "location.id"]);
  expect(new Mentions(["ada-77"], []).redact(JSON.stringify(record), kept)).toBeUndefined();
});

test("an address in other letters is found as V8 compiles expressions in a process with much executable memory", () => {
  setFlagsFromString("--no-regexp-optimization");
  onTestFinished(() => setFlagsFromString("--regexp-optimization"));
  const mentioning = { a: "ADA@x.org, zoË@y.org, @ada-77" };
  expect(redact(mentioning, ["ada-77"], ["ada@x.org", "zoë@y.org"])).toEqual({ a: `${R}, ${R}, ${R}` });
});
