import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { startNameServer } from "../../../../../test/name-server.ts";
import { anyConnections, CERTIFICATE, startListener, trustCertificate } from "../../../../../test/outgoing.ts";
import { startReceiver } from "../../../../../test/webhooks.ts";
import { OutgoingConnections } from "../../../../outgoing/connections.ts";
import { resolveName } from "../../../../outgoing/resolve-name.ts";
import { WebhookPoster } from "./post.ts";

const ADDRESS = "ada.lovelace@person.example";

/** Returns what is kept of a response. */
async function getExcerpt(sent: string): Promise<string> {
  const receiver = await startReceiver((response) => void response.writeHead(200).end(sent));
  const poster = new WebhookPoster(anyConnections());
  return (await poster.post(receiver.url, {}, "{}", new AbortController().signal)).response;
}

test("a receiver hears nothing of a webhook to a private address, and everything if they are allowed", async () => {
  trustCertificate();
  const heard: string[] = [];
  const respond: RequestListener = async (request, response) => {
    heard.push(await text(request));
    response.writeHead(200).end("done");
  };
  const strict = new WebhookPoster(new OutgoingConnections({ allowPrivateAddresses: false }));
  const lenient = new WebhookPoster(anyConnections());
  const { signal } = new AbortController();
  const secure = await startListener(createHttpsServer(CERTIFICATE, respond));
  const plain = await startListener(createHttpServer(respond));
  for (const url of [`https://127.0.0.1:${secure.port}/`, `http://localhost:${plain.port}/`]) {
    expect(await strict.post(url, {}, "refused", signal)).toMatchObject({
      ...{ httpStatus: null, response: "" },
      error: "The address is private, and ALLOW_PRIVATE_ADDRESSES is not set.",
    });
    expect(await lenient.post(url, {}, url, signal)).toMatchObject({ httpStatus: 200, response: "done", error: null });
    expect(heard.pop()).toBe(url);
  }
  expect(heard).toEqual([]);
  expect([secure.connections, plain.connections]).toEqual([1, 1]);
});

test("webhooks whose name servers do not respond delay no other webhook", async () => {
  const { address, names } = await startNameServer();
  const receiver = await startReceiver();
  const connections = new OutgoingConnections(
    { allowPrivateAddresses: false },
    { isPublic: () => true, resolve: (name) => resolveName(name, { servers: [address] }) },
  );
  onTestFinished(() => connections.close());
  const poster = new WebhookPoster(connections);
  const controller = new AbortController();
  const silent = Array.from({ length: 50 }, (_, index) =>
    poster.post(`http://silent-${index}.example/`, {}, "{}", controller.signal),
  );
  await eventually(() => expect(names.size).toBe(50));
  const { port } = new URL(receiver.url);
  const other = poster.post(`http://known.example:${port}/`, {}, "{}", controller.signal);
  expect(await Promise.race([other, ...silent])).toMatchObject({ httpStatus: 204 });
  controller.abort();
  await Promise.allSettled(silent);
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

test("a receiver that switches to another protocol has failed", async () => {
  const server = createHttpServer().on("upgrade", (_, socket) => socket.end());
  server.on("request", ({ socket }) => {
    socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n");
  });
  const { port } = await startListener(server);
  const poster = new WebhookPoster(anyConnections());
  expect(await poster.post(`http://127.0.0.1:${port}/`, {}, "{}", new AbortController().signal)).toMatchObject({
    httpStatus: null,
    error: "The receiver switched to another protocol (101), which is not a response to a webhook.",
  });
});
