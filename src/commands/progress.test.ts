import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { Progress } from "./progress.ts";

/** Returns what a progress shows at each of these seconds, with the second as the percentage. */
function shown(isTTY: boolean, seconds: number[]): string {
  let [output, now] = ["", 0];
  const stream = new Writable({
    write(text, _encoding, done) {
      output += text;
      done();
    },
  });
  const progress = new Progress("Restoring", Object.assign(stream, { isTTY }), () => now);
  for (const second of seconds) {
    now = second * 1000;
    progress.update(second / 100, "users");
  }
  progress.end();
  return output;
}

test("a terminal gets a bar, which is redrawn in its place and removed at the end", () => {
  const bar = (filled: number) => "█".repeat(filled) + "░".repeat(30 - filled);
  expect(shown(true, [0, 0.05, 50])).toBe(
    `\r\x1b[KRestoring ${bar(0)}   0 % users\r\x1b[KRestoring ${bar(15)}  50 % users\r\x1b[K`,
  );
});

test("other outputs get a line every 10 seconds", () => {
  expect(shown(false, [1, 9, 11, 15, 25])).toBe("Restoring: 11 %\nRestoring: 25 %\n");
});
