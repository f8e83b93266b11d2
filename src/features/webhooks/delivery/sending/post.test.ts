import { BlockList } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../../../../../test/webhooks.ts";
import { WebhookPoster } from "./post.ts";

const ADDRESS = "ada.lovelace@person.example";

/** Returns what is kept of an answer. */
async function excerptOf(answer: string): Promise<string> {
  const receiver = await startReceiver((response) => void response.writeHead(200).end(answer));
  const poster = new WebhookPoster(new BlockList());
  onTestFinished(() => poster.close());
  return (await poster.post(receiver.url, {}, "{}", new AbortController().signal)).response;
}

test("an excerpt of an answer holds no part of an address, so that deletions find what it names", async () => {
  for (let kept = 1; kept < ADDRESS.length; kept++) {
    const before = "No. ".repeat(600).slice(0, 2_048 - kept - 1);
    expect(await excerptOf(`${before} ${ADDRESS} failed`)).toBe(`${before} `);
  }
});

test("an answer of 2 KiB is kept whole", async () => {
  const answer = `${"No. ".repeat(600).slice(0, 2_047 - ADDRESS.length)} ${ADDRESS}`;
  expect(await excerptOf(answer)).toBe(answer);
});

test("an answer without white space loses only what may be half an address", async () => {
  expect(await excerptOf("x".repeat(3_000))).toBe("x".repeat(2_048 - 320));
});
