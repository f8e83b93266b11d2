import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { getDefaultAutoSelectFamily, isIPv6, type Socket, setDefaultAutoSelectFamily } from "node:net";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { createRemoteJWKSet, customFetch, exportJWK, type FetchImplementation, generateKeyPair } from "jose";
import { expect, onTestFinished, test } from "vitest";
import {
  anyConnections,
  CERTIFICATE,
  LOOPBACK_HOSTS,
  startListener,
  TRANSLATED_HOSTS,
  trustCertificate,
} from "../../test/outgoing.ts";
import { BLOCKED, OutgoingConnections } from "./connections.ts";

const TIMEOUT_MS = 10_000;
const GET = { method: "GET", headers: {}, signal: new AbortController().signal };

/** Returns connections that resolve each name to the addresses which `addresses` has then, and count how often. */
function resolving(addresses: string[], isPublic?: (address: string) => boolean) {
  const names: string[] = [];
  const connections = new OutgoingConnections(
    { allowPrivateAddresses: false },
    {
      ...(isPublic && { isPublic }),
      resolve: async (name) => {
        names.push(name);
        return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      },
    },
  );
  onTestFinished(() => connections.close());
  return { connections, names };
}

/** Opens a TCP connection, and throws its error if there is none. */
async function open(connections: OutgoingConnections, host: string, port: number): Promise<Socket> {
  const socket = connections.connect({ host, port, timeoutMs: TIMEOUT_MS });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Sends a GET and returns the status and body of the response. */
async function get(connections: OutgoingConnections, url: string): Promise<string> {
  const response = await connections.request(new URL(url), GET);
  return `${response.statusCode} ${await text(response)}`;
}

/** Returns the code with which each connection fails: by the plain socket, http and https. */
async function getCodes(connections: OutgoingConnections, host: string, port: number): Promise<unknown[]> {
  const results = await Promise.allSettled([
    open(connections, host.replace(/^\[|\]$/g, ""), port),
    get(connections, `http://${host}:${port}/`),
    get(connections, `https://${host}:${port}/`),
  ]);
  return results.map((result) => (result.status === "rejected" ? result.reason.code : "connected"));
}

test.each([...LOOPBACK_HOSTS, ...TRANSLATED_HOSTS])(
  "a listener hears nothing by %s, whatever the protocol",
  async (host) => {
    const listener = await startListener();
    const connections = new OutgoingConnections({ allowPrivateAddresses: false });
    expect(await getCodes(connections, host, listener.port)).toEqual([BLOCKED, BLOCKED, BLOCKED]);
    expect(listener.connections).toBe(0);
  },
);

test.each(LOOPBACK_HOSTS)("a listener hears all protocols by %s if private addresses are allowed", async (host) => {
  const listener = await startListener();
  expect(await getCodes(anyConnections(), host, listener.port)).not.toContain(BLOCKED);
  expect(listener.connections).toBe(3);
});

test.each([
  [["127.0.0.1"]],
  [["::1"]],
  [["::ffff:7f00:1"]],
  [["::ffff:127.0.0.1%lo"]],
  [["fe80::1%lo"]],
  [["127.0.0.1", "::1"]],
  [["no address"]],
  [[]],
])("a name that resolves to %j gets no connection, with and without a choice of families", async (addresses) => {
  const listener = await startListener();
  const isChosen = getDefaultAutoSelectFamily();
  onTestFinished(() => setDefaultAutoSelectFamily(isChosen));
  for (const isOn of [true, false]) {
    setDefaultAutoSelectFamily(isOn);
    const { connections } = resolving(addresses);
    expect(await getCodes(connections, "hooks.example", listener.port)).toEqual([BLOCKED, BLOCKED, BLOCKED]);
  }
  expect(listener.connections).toBe(0);
});

/** Starts a server on two addresses, of which one counts as public, and returns those that were connected to. */
async function startOnTwoAddresses() {
  const reached: (string | undefined)[] = [];
  const server = createHttpServer((_request, response) => void response.writeHead(204).end());
  server.on("connection", ({ localAddress }: Socket) => reached.push(localAddress));
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { server, reached, port: typeof address === "object" && address ? address.port : 0 };
}

const [OPEN, PRIVATE] = ["127.0.0.1", "127.0.0.2"];
const isOpen = (address: string) => address === OPEN;

test.each([[[PRIVATE, OPEN]], [[OPEN, PRIVATE]]])(
  "of the addresses %j only the public one is connected to",
  async (addresses) => {
    const { port, reached } = await startOnTwoAddresses();
    const { connections } = resolving(addresses, isOpen);
    expect(await get(connections, `http://hooks.example:${port}/`)).toBe("204 ");
    await open(connections, "hooks.example", port);
    expect(reached).toEqual([OPEN, OPEN]);
  },
);

test("a name that comes to mean a private address keeps its connection and gets no new one", async () => {
  const { port, reached, server } = await startOnTwoAddresses();
  const addresses = [OPEN];
  const { connections, names } = resolving(addresses, isOpen);
  const url = `http://hooks.example:${port}/`;
  expect(await get(connections, url)).toBe("204 ");
  addresses[0] = PRIVATE;
  expect(await get(connections, url)).toBe("204 ");
  // Each connection resolves the name once, so nothing can differ between the check and the connection.
  expect(names).toEqual(["hooks.example"]);
  expect(reached).toEqual([OPEN]);
  server.closeAllConnections();
  await expect.poll(() => get(connections, url).catch(({ code }) => code)).toBe(BLOCKED);
  await expect(open(connections, "hooks.example", port)).rejects.toMatchObject({ code: BLOCKED });
  expect(reached).toEqual([OPEN]);
});

test("https keeps the host of the URL, names it to the server, and verifies its certificate", async () => {
  trustCertificate();
  const heard: unknown[] = [];
  const server = createHttpsServer(CERTIFICATE, (request, response) => {
    heard.push([getServerName(request.socket), request.headers.host]);
    response.end('{"keys":[]}');
  });
  const { port } = await startListener(server);
  const { connections } = resolving(["127.0.0.1"], isOpen);
  expect(await get(connections, `https://hooks.example:${port}/.well-known/jwks.json`)).toBe('200 {"keys":[]}');
  expect(heard).toEqual([["hooks.example", `hooks.example:${port}`]]);
  await expect(get(connections, `https://other.example:${port}/`)).rejects.toMatchObject({
    code: "ERR_TLS_CERT_ALTNAME_INVALID",
  });
  expect(heard).toHaveLength(1);
});

/** Casts the socket, which is encrypted on an https server. */
function getServerName(socket: Socket): unknown {
  return (socket as TLSSocket).servername;
}

test("a remote key set is read over https, and a listener on a private address hears nothing of it", async () => {
  trustCertificate();
  const { publicKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }];
  const server = createHttpsServer(CERTIFICATE, (_request, response) => void response.end(JSON.stringify({ keys })));
  const listener = await startListener(server);
  const readKey = (host: string, connections: OutgoingConnections) => {
    const fetchKeys: FetchImplementation = async (url, { method, headers, signal }) => {
      const options = { method, headers: Object.fromEntries(headers), signal };
      return new Response(await text(await connections.request(new URL(url), options)));
    };
    const url = new URL(`https://${host}:${listener.port}/.well-known/jwks.json`);
    return createRemoteJWKSet(url, { [customFetch]: fetchKeys })({ alg: "ES256", kid: "one" });
  };
  const { connections: strict } = resolving(["127.0.0.1"]);
  for (const host of ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "keys.example"]) {
    await expect(readKey(host, strict)).rejects.toMatchObject({ code: BLOCKED });
  }
  expect(listener.connections).toBe(0);
  expect(await readKey("localhost", anyConnections())).toMatchObject({ type: "public" });
});

test("redirects are not followed", async () => {
  const listener = await startListener();
  const location = `http://127.0.0.1:${listener.port}/`;
  const { port } = await startListener(
    createHttpServer((_request, response) => void response.writeHead(307, { location }).end()),
  );
  expect(await get(anyConnections(), `http://127.0.0.1:${port}/`)).toBe("307 ");
  expect(listener.connections).toBe(0);
});
