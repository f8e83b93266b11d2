import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const CSS = readFileSync(new URL("../../packages/react/styles.css", import.meta.url), "utf8");
const DOCUMENTATION = readFileSync(new URL("../../docs/react.md", import.meta.url), "utf8");
const EXAMPLE = new URL("../../examples/workspace-app/", import.meta.url);
/** What builds and starts the example, which a product has already. */
const BUILD = ["build-page.ts", "main.ts", "vite.config.ts"];
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

test("the example of a workspace has at most 300 lines of code and 60 of CSS", () => {
  const count = (name: string) => readFileSync(new URL(name, EXAMPLE), "utf8").trimEnd().split("\n").length;
  const files = globSync("**/*.{ts,tsx,css}", { cwd: EXAMPLE }).filter((name) => !BUILD.includes(name));
  const [styles, code] = [files.filter((name) => name.endsWith(".css")), files.filter((name) => /tsx?$/.test(name))];
  expect(code.length).toBeGreaterThan(3);
  expect(code.reduce((sum, name) => sum + count(name), 0)).toBeLessThanOrEqual(300);
  expect(styles.map(count)).toEqual([expect.toSatisfy((lines) => lines <= 60)]);
});
