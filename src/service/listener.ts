import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { buildUrl } from "../config/build-url.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { stopListening } from "../http/closing.ts";
import { createServer, type HttpServer } from "../http/server.ts";
import { respondWhileStarting } from "../http/starting.ts";
import type { StartContext } from "./start-context.ts";

/** A service that listens. */
export interface Listener {
  /** The HTTP server, to which routes are added. */
  server: HttpServer;
  /** Address that the service listens on, such as `http://127.0.0.1:8080`. */
  address: string;
  /** Lets the routes handle requests. Until then, `/healthz` is 200 and everything else UNAVAILABLE. */
  serve(): Promise<void>;
  /** Finishes the requests in progress. A second call does nothing. */
  close(): Promise<void>;
}

/** Number of connections that wait to be accepted; the kernel lowers it to its own limit (`net.core.somaxconn`). */
const BACKLOG = 65_535;

/** Codes of errors that mean that the machine has no such address. */
const MISSING_ADDRESS_CODES = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT"]);

/** Returns the addresses of a host. */
type FindAddresses = (host: string, options: { all: true }) => Promise<{ address: string }[]>;

/**
 * Listens before the database is there, so that probes and callers get responses from the first moment. A worker that
 * replaces one listens only once it serves: until then, the others get all requests.
 */
export async function openListener(
  { config, log, resources, primary }: StartContext,
  findAddresses: FindAddresses = lookup,
): Promise<Listener> {
  const server = createServer(config, log);
  const endStart = respondWhileStarting(server.server);
  const others: Server[] = [];
  let closed: Promise<void> | undefined;
  async function closeOnce(): Promise<void> {
    for (const other of others) other.close();
    if (primary && server.server.listening) {
      await stopListening(server.server);
      await primary.leavePort();
    }
    await server.close();
  }
  function close(): Promise<void> {
    closed ??= closeOnce();
    return closed;
  }
  resources.defer(close);
  const currentAddress = await primary?.currentAddress();
  const listen = (port = config.port) => listenOn(server.server, others, { host: config.host, port, findAddresses });
  const address = currentAddress ?? (await listen());
  if (primary) primary.reportPortOpened(address);
  else log.info({ address }, "starting");
  async function serve(): Promise<void> {
    endStart();
    if (currentAddress !== undefined && (await listen()) !== currentAddress) await listenAt(currentAddress);
  }
  /** Moves to the address. With PORT=0 and no other worker left, the system has chosen another port than before. */
  async function listenAt(address: string): Promise<void> {
    for (const other of others.splice(0)) other.close();
    await stopListening(server.server);
    await listen(Number(new URL(address).port));
  }
  return { server, address, serve, close };
}

interface ListenOptions {
  host: string;
  port: number;
  findAddresses: FindAddresses;
}

/** Listens on all addresses of the host; `localhost` may have two. Returns the URL of the first. */
async function listenOn(main: Server, others: Server[], { host, port, findAddresses }: ListenOptions): Promise<string> {
  try {
    const addresses = host === "localhost" ? await findAddresses(host, { all: true }) : [];
    const [first = host, ...further] = addresses.map(({ address }) => address);
    await openPort(main, first, port);
    const { address, port: chosen } = getTcpAddress(main);
    for (const other of further) {
      const server = createTcpServer((socket) => void main.emit("connection", socket));
      if (await listenIfPresent(server, other, chosen)) others.push(server);
    }
    return buildUrl(address, chosen);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `Cannot listen on HOST ${host} and PORT ${port} (${reason}). Set another PORT or HOST.`,
    );
  }
}

/** Listens, and returns false if the machine lacks the address, such as that of IPv6. */
async function listenIfPresent(server: Server, host: string, port: number): Promise<boolean> {
  try {
    await openPort(server, host, port);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && MISSING_ADDRESS_CODES.has(String(error.code))) return false;
    throw error;
  }
}

async function openPort(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port, backlog: BACKLOG });
  await once(server, "listening");
}

function getTcpAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a TCP port.");
  return address;
}
