import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { anyConnections, LOOPBACK_HOSTS, startListener } from "../../../../test/outgoing.ts";
import { startIssuer } from "../../../../test/token-issuer.ts";
import { OutgoingConnections } from "../../../outgoing/connections.ts";
import { fetchKeySet, KeySetError } from "./fetch-key-set.ts";

/** Returns why keys were not fetched. */
async function getProblem(url: string, connections = anyConnections()): Promise<string> {
  const error: unknown = await fetchKeySet(connections, url).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(KeySetError);
  return error instanceof Error ? error.message : "";
}

/** Returns why keys were not fetched from a server that responds like this. */
async function getProblemOf(respond: (response: ServerResponse) => void): Promise<string> {
  const issuer = await startIssuer();
  issuer.respond = respond;
  return getProblem(issuer.jwksUrl);
}

test("the keys of an issuer are fetched", async () => {
  const issuer = await startIssuer();
  expect(await fetchKeySet(anyConnections(), issuer.jwksUrl)).toEqual(issuer.keySet);
});

test("no connection is made to a private address, in any spelling, unless private addresses are allowed", async () => {
  const listener = await startListener();
  const strict = new OutgoingConnections({ allowPrivateAddresses: false });
  onTestFinished(() => strict.close());
  for (const host of LOOPBACK_HOSTS) {
    const problem = await getProblem(`https://${host}:${listener.port}/keys`, strict);
    expect(problem, host).toBe("The address is private, and ALLOW_PRIVATE_ADDRESSES is not set.");
  }
  expect(listener.connections).toBe(0);
});

test("a redirect is not followed, also not to where the keys are", async () => {
  const [target, listener] = [await startIssuer(), await startListener()];
  for (const location of [target.jwksUrl, `http://127.0.0.1:${listener.port}/`]) {
    for (const status of [301, 302, 307, 308]) {
      const problem = await getProblemOf((response) => void response.writeHead(status, { location }).end());
      expect(problem).toBe(`The server responded with HTTP ${status} instead of 200. Redirects are not followed.`);
    }
  }
  expect([target.fetches, listener.connections]).toEqual([0, 0]);
});

test("a response of more than 64 KiB is not read to its end, and its connection is closed", async () => {
  let closed: (() => void) | undefined;
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const problem = await getProblemOf((response) => {
    const write = () => {
      // A server that never ends, and sends for as long as somebody reads.
      while (!response.destroyed && response.write(" ".repeat(16_384)));
    };
    response.on("drain", write).on("close", () => closed?.());
    write();
  });
  expect(problem).toBe("The response is larger than 64 KiB.");
  await isClosed;
});

test("a server that does not respond, or not to the end, is given up after 5 seconds", async () => {
  const respond = [() => {}, (response: ServerResponse) => void response.writeHead(200).write('{"keys":[')];
  for (const each of respond) {
    const controller = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(controller.signal);
    onTestFinished(() => timeout.mockRestore());
    const problem = await getProblemOf((response) => {
      each(response);
      controller.abort(new DOMException("", "TimeoutError"));
    });
    expect(problem).toBe("The server did not respond within 5 seconds.");
    expect(timeout).toHaveBeenCalledWith(5_000);
  }
});

const KEY = { kty: "EC" };
test.each([
  ["an error", 500, "{}", "The server responded with HTTP 500 instead of 200. Redirects are not followed."],
  ["no JSON", 200, "<html>", "The response is not JSON."],
  ["no object", 200, "[]", "The response is not a JSON Web Key Set with at most 100 keys."],
  ["no list of keys", 200, '{"keys":{}}', "The response is not a JSON Web Key Set with at most 100 keys."],
  ["no keys", 200, '{"keys":[1]}', "The response is not a JSON Web Key Set with at most 100 keys."],
  [
    "101 keys",
    200,
    JSON.stringify({ keys: Array(101).fill(KEY) }),
    "The response is not a JSON Web Key Set with at most 100 keys.",
  ],
])("a server that responds with %s has no keys", async (_title, status, body, expected) => {
  expect(await getProblemOf((response) => void response.writeHead(status).end(body))).toBe(expected);
});
