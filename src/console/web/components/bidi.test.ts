import { expect, test } from "vitest";
import { curlCommand } from "../api/curl.ts";
import { escapeBidiControls, revealBidiControls } from "./bidi.ts";

const CONTROLS = ["\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"];

test("every bidirectional control character is revealed, and nothing else is changed", () => {
  expect(revealBidiControls("x \u202Eabc")).toBe("x [U+202E]abc");
  for (const control of CONTROLS) expect(revealBidiControls(control)).toMatch(/^\[U\+20[26][0-9A-E]\]$/);
  for (const text of ["\u05D0\u05D1 \u0627\u0628", "\u200D\u2029\u2065\u206A\u202F", "\uD800"]) {
    expect(revealBidiControls(text)).toBe(text);
  }
});

test("JSON and commands escape bidirectional control characters and keep their meaning", () => {
  const value = { [`a${CONTROLS.join("")}`]: "b\u202E\\" };
  const json = escapeBidiControls(JSON.stringify(value));
  expect(JSON.parse(json)).toEqual(value);
  expect(json).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  const command = curlCommand({ path: "/v2/x", data: value }, { serviceUrl: "https://a.example", apiKey: undefined });
  expect(command).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
});
