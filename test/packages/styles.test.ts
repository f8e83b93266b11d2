import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const CSS = readFileSync(new URL("../../packages/react/styles.css", import.meta.url), "utf8");
const DOCUMENTATION = readFileSync(new URL("../../docs/react.md", import.meta.url), "utf8");
const RULES = CSS.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/(?<selectors>[^{}]+)\{(?<body>[^{}]*)\}/g);

test("each rule of the stylesheet applies to elements of the components only, and none loads a file", () => {
  const selectors = [...RULES].map(({ groups }) => groups?.selectors?.trim() ?? "");
  expect(selectors.length).toBeGreaterThan(20);
  const outside = selectors.filter((selector) => !/colloquy-/.test(selector) && !/^(from|to|\d+%)$/.test(selector));
  expect(outside).toEqual([]);
  expect(CSS).not.toMatch(/url\(|@import|@font-face/);
});

test("the documentation lists each variable that a product can set", () => {
  const variables = new Set(CSS.match(/--colloquy-[a-z-]+/g));
  expect([...variables].filter((name) => !DOCUMENTATION.includes(`\`${name}\``))).toEqual([]);
});
