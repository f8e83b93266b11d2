import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { registerCleanup } from "./cleanup.ts";
import { type OwnTestService, startOwnTestService } from "./harness.ts";

export interface DatabaseProxy {
  /** Connection string of the database through the proxy. */
  url: string;
  /** Closes all connections, and rejects new ones until `restore`. */
  cut(): void;
  /** Keeps the open connections, and rejects new ones until `restore`. */
  rejectNewConnections(): void;
  /** Keeps all connections, accepts new ones, and loses all bytes on them, for good. `restore` serves new ones. */
  swallow(): void;
  /** Loses all further bytes of the connections on which the client has sent `text`. */
  swallowConnectionsThatSent(text: string): void;
  /** Forwards what contains `text`, and closes its connection instead of forwarding the database's response. */
  loseResponsesTo(text: string): void;
  restore(): void;
  /** Returns on how many connections the client has sent `text`. */
  countSent(text: string): number;
  /** Returns on how many open connections the client has sent `text`. */
  countOpen(text: string): number;
}

/** Starts a TCP proxy between a service and its database. It runs until the end of the test or file. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const connections = new Set<{ sent: string; isSwallowed: boolean; isOpen: boolean; isLosingResponse: boolean }>();
  let lostText: string | undefined;
  let isRejecting = false;
  let isSwallowing = false;
  const server = createServer((client) => {
    if (isRejecting) return void client.destroy();
    const connection = { sent: "", isSwallowed: isSwallowing, isOpen: true, isLosingResponse: false };
    connections.add(connection);
    client.on("data", (bytes) => {
      connection.sent += bytes.toString("latin1");
      connection.isLosingResponse = lostText !== undefined && bytes.includes(lostText);
    });
    const upstream = connectTo(databaseUrl);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
        connection.isOpen = false;
      });
      socket.on("data", (bytes) => {
        if (connection.isLosingResponse && socket === upstream) client.destroy();
        else if (!connection.isSwallowed) other.write(bytes);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  registerCleanup(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: throughProxy(databaseUrl, server.address()),
    cut() {
      isRejecting = true;
      for (const socket of sockets) socket.destroy();
    },
    rejectNewConnections() {
      isRejecting = true;
    },
    swallow() {
      isSwallowing = true;
      for (const connection of connections) connection.isSwallowed = true;
    },
    swallowConnectionsThatSent(text) {
      for (const connection of connections) connection.isSwallowed ||= connection.sent.includes(text);
    },
    loseResponsesTo(text) {
      lostText = text;
    },
    restore() {
      isRejecting = false;
      isSwallowing = false;
    },
    countSent: (text) => [...connections].filter(({ sent }) => sent.includes(text)).length,
    countOpen: (text) => [...connections].filter(({ sent, isOpen }) => isOpen && sent.includes(text)).length,
  };
}

function connectTo(databaseUrl: string): Socket {
  const url = new URL(databaseUrl);
  const port = Number(url.port || 5432);
  const directory = url.searchParams.get("host");
  if (directory?.startsWith("/")) return connect({ path: join(directory, `.s.PGSQL.${port}`) });
  return connect({ host: directory ?? url.hostname, port, noDelay: true });
}

function throughProxy(databaseUrl: string, address: ReturnType<ReturnType<typeof createServer>["address"]>): string {
  if (address === null || typeof address === "string") throw new Error("The proxy does not listen on a port.");
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return url.href;
}

/** Starts a service of its own whose connections to the database pass a proxy. */
export async function startServiceBehindProxy(): Promise<{ service: OwnTestService; proxy: DatabaseProxy }> {
  const started = Promise.withResolvers<DatabaseProxy>();
  const service = await startOwnTestService(async ({ databaseUrl = "" }) => {
    started.resolve(await startDatabaseProxy(databaseUrl));
    return { databaseUrl: (await started.promise).url };
  });
  return { service, proxy: await started.promise };
}
