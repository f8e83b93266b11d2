import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer as createTcpServer, type Server } from "node:net";
import type { Config } from "../config/config.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { createServer } from "../http/server.ts";
import { answerWhileStarting } from "../http/starting.ts";
import type { StartContext } from "./start-context.ts";

/** The open port of a service. */
export interface Port {
  /** The HTTP server, to which routes are added. */
  server: ReturnType<typeof createServer>;
  /** Address that the service listens on, such as `http://127.0.0.1:8080`. */
  address: string;
  /** Has the routes answer. Until then `/healthz` does, and everything else is UNAVAILABLE. */
  serve(): void;
  /** Finishes the requests in progress. A second call does nothing. */
  close(): Promise<void>;
}

/** Listens before the database is there, so that probes and callers get answers from the first moment. */
export async function openPort({ config, log, resources }: StartContext): Promise<Port> {
  const server = createServer(config);
  const endStart = answerWhileStarting(server.server);
  const others: Server[] = [];
  let closed: Promise<void> | undefined;
  function close(): Promise<void> {
    for (const other of others) other.close();
    closed ??= server.close();
    return closed;
  }
  resources.defer(close);
  const address = await listenOn(server.server, others, config);
  log.info({ address }, "starting");
  return {
    server,
    address,
    serve: endStart,
    close,
  };
}

/** Listens on all addresses of the host; `localhost` has two. Returns the URL of the first. */
async function listenOn(main: Server, others: Server[], { host, port }: Config): Promise<string> {
  try {
    const [first, ...further] = host === "localhost" ? await lookup(host, { all: true }) : [{ address: host }];
    await listen(main, first?.address ?? host, port);
    const { address, family, port: chosen } = Object(main.address());
    for (const { address: other } of further) {
      const server = createTcpServer((socket) => void main.emit("connection", socket));
      // The machine may lack one of the two.
      await listen(server, other, chosen).then(
        () => others.push(server),
        () => {},
      );
    }
    const shown = WILDCARDS.get(address) ?? (family === "IPv6" ? `[${address}]` : address);
    return `http://${shown}:${chosen}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `Cannot listen on HOST ${host} and PORT ${port} (${reason}). Set another PORT or HOST.`,
    );
  }
}

/** Addresses at which a service is reached that listens on all. */
const WILDCARDS = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port });
  await once(server, "listening");
}
