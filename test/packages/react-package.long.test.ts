import { globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { bundle, compile, getCode, installPacked } from "./packed.ts";

const NAMES = ["react", "@types/react", "@hocuspocus/provider", "@tiptap/core", "@tiptap/starter-kit"] as const;
const EXTENSIONS = ["@tiptap/extension-collaboration", "@tiptap/extension-collaboration-caret"] as const;

const others = [...NAMES, ...EXTENSIONS].map((name) => `${name}@${packageJson.devDependencies[name]}`);
const project = await installPacked(["client", "react", "editor"], others);

/** Checks the types of samples together. The samples are JavaScript, whose parameters have no types. */
async function compileSamples(samples: string[]): Promise<string> {
  const options = ["--jsx", "react-jsx", "--noImplicitAny", "false", "--noUncheckedSideEffectImports", "false"];
  const files = samples.map((_, index) => `sample-${index}.tsx`);
  for (const [index, file] of files.entries()) await writeFile(join(project, file), `${samples[index]}\nexport {};\n`);
  return compile(project, "", "index.ts", [...options, "--skipLibCheck", ...files]);
}

test.each(["docs/react.md", "packages/react/README.md"])("the samples of %s compile", async (document) => {
  const samples = getCode(document, "jsx");
  expect(samples.length).toBeGreaterThan(0);
  expect(await compileSamples(samples)).toBe("");
  const errors = await compileSamples(
    samples.map((sample) => sample.replace("@colloquy/react", "@colloquy/react/none")),
  );
  const rejected = new Set(errors.match(/^sample-\d+\.tsx/gm));
  expect(rejected.size).toBe(samples.length);
});

test("the types of the package reject what the service rejects, and name the props of each component", async () => {
  const code = `
    import { ActivityFeed, useActivities } from "@colloquy/react";
    import type { ActivityFeedProps, AvatarsProps, InboxProps, ThreadOptions, ThreadProps } from "@colloquy/react";
    export type Labels = Pick<ActivityFeedProps & AvatarsProps & InboxProps, "label"> & Pick<ThreadProps, "thread">;
    // @ts-expect-error The ID of a document is a text.
    useActivities({ documentId: 7 });
    // @ts-expect-error The ID of a document is a text.
    <ActivityFeed documentId={7} />;
    // @ts-expect-error The ID of an element is a text.
    export const options: ThreadOptions = { targetElement: { elementId: 7 } };
    export const message: string | undefined = useActivities({ documentId: "contract-7" }).error?.message;
  `;
  expect(await compileSamples([code])).toBe("");
});

test.each(["client", "react", "editor"])(
  "the README of the package %s links to no file that is not in the package",
  (name) => {
    const readme = readFileSync(join(project, "node_modules/@colloquy", name, "README.md"), "utf8");
    expect(readme.match(/\]\((?!https:)[^)]*\)/g) ?? []).toEqual([]);
  },
);

test("the scripts of all entries are marked for the client, so that server components can import them", () => {
  const scripts = globSync(join(project, "node_modules/@colloquy/{react/dist/**/*,editor/dist/react}.js"));
  expect(scripts.length).toBeGreaterThan(1);
  const firstLines = scripts.map((script) => readFileSync(script, "utf8").split("\n", 1)[0]);
  expect(new Set(firstLines)).toEqual(new Set(['"use client";']));
});

test("the document alone is loaded with the provider of documents", () => {
  const scripts = globSync(join(project, "node_modules/@colloquy/react/dist/*.js"));
  const withProvider = scripts.filter((path) => readFileSync(path, "utf8").includes("@hocuspocus/provider"));
  expect(withProvider.map((path) => basename(path))).toEqual(["document.js"]);
});

test("a page carries the languages that it imports, and no others", async () => {
  const toPage = (file: string) => `import * as texts from "@colloquy/react/texts/${file}"; console.log(texts);`;
  const script = await bundle(project, toPage("de"));
  expect(script).toContain("In diesem Dokument");
  for (const words of ["In this document", "En este documento", "Dans ce document"])
    expect(script).not.toContain(words);
});
