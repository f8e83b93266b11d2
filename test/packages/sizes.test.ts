import { join } from "node:path";
import { expect, test } from "vitest";
import { getComponents, getEditorEntries, MEASURED, measureScript, withComponent } from "../../bench/package-sizes.ts";
import { longTest } from "../sizes.ts";

/** Maximum sizes of scripts in bytes, with gzip and without React. */
const MAX_BYTES = { client: 6_000, hooks: 12_000, components: 45_000, Thread: 23_000, Composer: 18_000 };
/** Maximum sizes of entries of the editor package, without the editors. */
const MAX_EDITOR_BYTES = {
  ...{ blocknote: 12_000, codemirror: 7_500, dom: 10_500, index: 2_000, lexical: 11_000 },
  ...{ prosemirror: 7_800, react: 30_000, tiptap: 7_800 },
};
const PAGES = { ...MEASURED, Thread: withComponent("Thread"), Composer: withComponent("Composer") };
const COMPOSER = "react/src/composer.tsx";
/** Components that contain a composer, and so its script. */
const WITH_COMPOSER = ["Composer", "Pins", "Thread", "Threads"];
/** Libraries of composers that edit rich texts and choose emojis. */
const LIBRARIES = /squire-rte|frimousse|emojibase-data/;

test.each(Object.entries(MAX_BYTES))(
  "a page with %s loads no more script than said, and libraries of composers on demand",
  async (name, maxBytes) => {
    const { bytes, files, onDemand } = await measureScript(PAGES[name as keyof typeof PAGES]);
    expect(bytes).toBeGreaterThan(maxBytes / 10);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(files.filter((file) => LIBRARIES.test(file))).toEqual([]);
    const hasComposer = files.includes(COMPOSER);
    expect(onDemand.files.some((file) => LIBRARIES.test(file))).toBe(hasComposer);
    expect(hasComposer).toBe(!["client", "hooks"].includes(name));
  },
);

test("a page with an entry of the editor package loads no more script than said", async () => {
  const sizes: [string, number][] = [];
  const entries = Object.entries(getEditorEntries());
  for (const [name, code] of entries) sizes.push([name, (await measureScript(code)).bytes]);
  expect(Object.fromEntries(sizes)).toEqual(
    Object.fromEntries(
      Object.entries(MAX_EDITOR_BYTES).map(([name, bytes]) => [
        name,
        expect.toSatisfy((size) => size > bytes / 2 && size <= bytes),
      ]),
    ),
  );
});

test("a page that follows no stream loads no script of the tabs that share one", async () => {
  const { files, onDemand } = await measureScript(MEASURED.client);
  expect(files).toContain("client/src/stream.ts");
  expect(files.filter((file) => file.startsWith("client/src/tab-"))).toEqual(["client/src/tab-page.ts"]);
  expect(onDemand.bytes).toBeGreaterThan(0);
});

test("a page with an inbox alone has no script of threads", async () => {
  const { files } = await measureScript(withComponent("Inbox"));
  expect(files).toContain("client/src/stores/inbox.ts");
  expect(files.filter((file) => /composer|thread|emoji/.test(file))).toEqual([]);
});

test("a page in production has no script of the devtools", async () => {
  const code = `export * from ${JSON.stringify(join(import.meta.dirname, "../../packages/react/src/devtools.tsx"))};`;
  const { bytes, files } = await measureScript(code);
  expect(files).not.toContain("client/src/stores/session.ts");
  expect(bytes).toBeLessThan(500);
});

longTest("each component can be imported alone, without the composer unless it has one", async () => {
  expect(getComponents()).toEqual(expect.arrayContaining(["ActivityFeed", "Avatars", "Inbox", ...WITH_COMPOSER]));
  for (const name of getComponents()) {
    const { bytes, files } = await measureScript(withComponent(name));
    expect(bytes, name).toBeLessThan(MAX_BYTES.components);
    expect(files.includes(COMPOSER), name).toBe(WITH_COMPOSER.includes(name));
  }
});
