import dns from "node:dns";
import { createServer } from "node:http";
import { type AddressInfo, BlockList } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { startReceiver } from "../../../../../test/webhooks.ts";
import { WebhookPoster } from "./post.ts";

const ADDRESS = "ada.lovelace@person.example";

/** Returns what is kept of a response. */
async function getExcerpt(sent: string): Promise<string> {
  const receiver = await startReceiver((response) => void response.writeHead(200).end(sent));
  const poster = new WebhookPoster(new BlockList());
  onTestFinished(() => poster.close());
  return (await poster.post(receiver.url, {}, "{}", new AbortController().signal)).response;
}

test("a name that comes to mean a private address gets no connection, nor does a private one of several", async () => {
  const [open, rejected] = ["127.0.0.1", "127.0.0.2"];
  const reached: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    reached.push(request.socket.localAddress);
    response.writeHead(204, { connection: "close" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  let addresses: string[] = [];
  vi.spyOn(dns, "lookup").mockImplementation(((
    _name: string,
    options: object,
    done: (...response: unknown[]) => void,
  ) => {
    const found = addresses.map((address) => ({ address, family: 4 }));
    if ("all" in options && options.all) done(null, found);
    else done(null, addresses[0], 4);
  }) as typeof dns.lookup);
  onTestFinished(() => void vi.restoreAllMocks());
  const rejectedAddresses = new BlockList();
  rejectedAddresses.addAddress(rejected);
  const poster = new WebhookPoster(rejectedAddresses);
  onTestFinished(() => poster.close());
  const post = async (resolved: string[]) => {
    addresses = resolved;
    return poster.post(`http://hooks.example:${port}/`, {}, "{}", new AbortController().signal);
  };
  expect(await post([open])).toMatchObject({ httpStatus: 204 });
  const error = "The address is private, and ALLOW_PRIVATE_ADDRESSES is not set.";
  expect(await post([rejected])).toMatchObject({ httpStatus: null, error });
  await post([rejected, open]);
  await post([open, rejected]);
  expect(reached).not.toContain(rejected);
});

test("an excerpt of a response holds no part of an address, so that deletions find what it names", async () => {
  for (let kept = 1; kept < ADDRESS.length; kept++) {
    const before = "No. ".repeat(600).slice(0, 2_048 - kept - 1);
    expect(await getExcerpt(`${before} ${ADDRESS} failed`)).toBe(`${before} `);
  }
});

test("a response of 2 KiB is kept whole", async () => {
  const response = `${"No. ".repeat(600).slice(0, 2_047 - ADDRESS.length)} ${ADDRESS}`;
  expect(await getExcerpt(response)).toBe(response);
});

test("a response without white space loses only what may be half an address", async () => {
  expect(await getExcerpt("x".repeat(3_000))).toBe("x".repeat(2_048 - 320));
});
