import Type from "typebox";
import { expect, test } from "vitest";
import { ServiceError } from "../contract/errors.ts";
import { openExcept } from "../contract/schema.ts";
import { compileValidation } from "./validation.ts";

const validate = compileValidation(
  Type.Object({
    names: Type.Optional(Type.Array(Type.String(), { maxItems: 1_000 })),
    switches: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    items: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))),
  }),
);

const FIELDS = "The fields are names, switches, and items.";

function messageFor(data: object): string {
  try {
    validate({ data });
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
  return "valid";
}

/** Returns a list of `count` switches, of which the last one is invalid. */
function switches(count: number): object {
  const names = Array.from({ length: count }, (_, number) => `switch ${number}`);
  return Object.fromEntries(names.map((name, number) => [name, number < count - 1 || 1]));
}

test.each([
  [undefined, 'data is required: { "data": { … } }', "data"],
  [{}, 'data is required: { "data": { … } }', "data"],
  [{ data: 1 }, "data must be an object", "data"],
  [{ data: {} }, "data.id is required", "data.id"],
])(
  "for %j the message names the first invalid field, and the issues contain it with its path",
  (body, message, path) => {
    const required = compileValidation(Type.Object({ id: Type.String() }));
    const issues = [{ path, message: message.slice(path.length + 1) }];
    expect(() => required(body)).toThrow(
      expect.objectContaining({ message, details: { reason: "field_invalid", issues } }),
    );
  },
);

test("an invalid value is named at any position in a map of up to 10,000 entries", () => {
  expect(messageFor({ switches: switches(9_000) })).toBe('data.switches["switch 8999"] must be a boolean');
});

test("in a larger body, invalid values among the first 1,001 items of each list and map are named", () => {
  expect(messageFor({ names: Array(60_000).fill("a") })).toBe("data.names must have at most 1,000 items");
  expect(messageFor({ items: Array(60_000).fill({ id: 1 }) })).toBe("data.items[0].id must be a string");
});

test("an invalid value beyond the first 1,001 entries of a larger map is rejected without its path", () => {
  expect(messageFor({ switches: switches(11_000) })).toBe("data is invalid beyond the first 1,001 items");
});

test.each([
  [{ unknown: 1 }, `data.unknown is not a field of this operation. ${FIELDS}`],
  [{ name: ["a"] }, "data.name is not a field of this operation. Did you mean names?"],
  [{ NAMES: ["a"] }, "data.NAMES is not a field of this operation. Did you mean names?"],
  [{ nmaes: ["a"], items: 1 }, "data.nmaes is not a field of this operation. Did you mean names?"],
  [{ items: [{ "a b": 1 }] }, 'data.items[0]["a b"] is not a field of this operation. The fields are id. Missing: id.'],
  [{ id: "a" }, "data.id is not a field of this operation. Did you mean data.items[].id?"],
  [JSON.parse('{"__proto__":1}'), `data.__proto__ is not a field of this operation. ${FIELDS}`],
  [{ ["x".repeat(1_000_000)]: 1 }, `data["${"x".repeat(100)}…"] is not a field of this operation. ${FIELDS}`],
])("an unknown field is rejected at any level, with the name that was probably meant, case %#", (data, message) => {
  expect(messageFor(data)).toBe(message);
});

test("an unknown field that another kind of the same object has is not suggested as itself", () => {
  const strict = { additionalProperties: false };
  const anchor = Type.Union([
    Type.Object({ editorId: Type.String(), start: Type.String() }, strict),
    Type.Object({ selector: Type.String(), x: Type.Number() }, strict),
  ]);
  const validate = compileValidation(Type.Object({ items: Type.Array(Type.Object({ anchor })) }));
  expect(() => validate({ data: { items: [{ anchor: { selector: "#a", x: 1, editorId: "body" } }] } })).toThrow(
    "data.items[0].anchor.editorId is not a field of this operation. The fields are selector and x.",
  );
});

test.each([
  ["editorId", "Did you mean anchorEditorIds?"],
  ["editorIds", "Did you mean anchorEditorIds?"],
  ["Ids", "The fields are anchorEditorIds and mentionedUserIds."],
  ["", "The fields are anchorEditorIds and mentionedUserIds."],
])("an unknown field %s is taken for the end of a longer name, if only one ends with it", (name, hint) => {
  const ids = Type.Optional(Type.Array(Type.String()));
  const validate = compileValidation(Type.Object({ anchorEditorIds: ids, mentionedUserIds: ids }));
  expect(() => validate({ data: { [name]: ["body"] } })).toThrow(`is not a field of this operation. ${hint}`);
});

test("unknown fields are named first, and invalid ones follow in the issues", () => {
  const issues = [
    { path: "data.items[0].iD", message: "is not a field of this operation. Did you mean id?" },
    { path: "data.names", message: "must be an array" },
    { path: "data.items[0].id", message: "is required" },
  ];
  expect(() => validate({ data: { names: 1, items: [{ iD: "a" }] } })).toThrow(
    expect.objectContaining({ reason: "unknown_field", details: { reason: "unknown_field", issues } }),
  );
});

test.each([
  [{ names: ["a"] }, 'names is not a field of the body. All fields belong in data: { "data": { … } }'],
  [{ Data: {} }, "Data is not a field of the body. Did you mean data?"],
])("a field next to data is rejected, case %#", (body, message) => {
  expect(() => validate(body)).toThrow(expect.objectContaining({ reason: "unknown_field", message }));
});

test("a text that does not match its pattern is described in words", () => {
  const code = Type.String({ pattern: "^[a-z]+$", description: "Must only have letters. It is chosen by you." });
  const validate = compileValidation(Type.Object({ codes: Type.Array(code) }));
  expect(() => validate({ data: { codes: ["a", "1"] } })).toThrow("data.codes[1] must only have letters");
});

test("fields that come after 1,001 unknown ones are not reported as missing", () => {
  const required = compileValidation(Type.Object({ id: Type.String() }));
  const unknown = Object.fromEntries(Array.from({ length: 60_000 }, (_, number) => [`unknown${number}`, 1]));
  const issues: unknown[] = Array(100).fill(expect.objectContaining({ path: expect.stringMatching(/^data.unknown/) }));
  expect(() => required({ data: { ...unknown, id: "a" } })).toThrow(
    expect.objectContaining({ details: { reason: "unknown_field", issues } }),
  );
});

test("a rejected field is found among 99,000 others in an object that accepts them", () => {
  const open = Type.Object({}, openExcept(["access"]));
  const validate = compileValidation(Type.Object({ context: open }));
  const others = Object.fromEntries(Array.from({ length: 99_000 }, (_, number) => [`field ${number}`, 1]));
  expect(validate({ data: { context: others } })).toEqual({ context: others });
  expect(() => validate({ data: { context: { ...others, access: { more: 1 } } } })).toThrow(
    expect.objectContaining({
      reason: "unknown_field",
      message: expect.stringMatching(/^data\.context\.access is not/),
    }),
  );
});

test("of an object with many fields, an unknown one is named with those that are missing", () => {
  const fields = Object.fromEntries(Array.from({ length: 16 }, (_, number) => [`field ${number}`, Type.String()]));
  const partial = Type.Object({ organizationId: Type.String(), ...Type.Partial(Type.Object(fields)).properties });
  expect(() => compileValidation(partial)({ data: { other: 1 } })).toThrow(
    "data.other is not a field of this operation. Missing: organizationId.",
  );
});

test("a time that is sent as a text is rejected with its unit and its value", () => {
  const times = Type.Object({
    from: Type.Optional(Type.Integer({ description: "Earliest time, in milliseconds since the epoch." })),
    expiresAt: Type.Optional(Type.Integer({ description: "Seconds since the epoch." })),
    count: Type.Optional(Type.Integer()),
  });
  const check = (data: object) => () => compileValidation(times)({ data });
  const from = "data.from must be an integer, the time in milliseconds since the epoch, such as 1782345600000";
  expect(check({ from: "2026-06-25" })).toThrow(from);
  const expiresAt = "data.expiresAt must be an integer, the time in seconds since the epoch, such as 1782345600";
  expect(check({ expiresAt: "2026-06-25T00:00:00Z" })).toThrow(expiresAt);
  expect(check({ count: "2026-06-25" })).toThrow(/^data.count must be an integer$/);
  expect(check({ from: "soon" })).toThrow(/^data.from must be an integer$/);
});
