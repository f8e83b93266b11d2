/** Requests over connections of their own, which `bench/connections.ts` repeats, or whose responses nobody reads. */
import { execFile } from "node:child_process";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { requestText } from "../test/raw-connection.ts";

export interface ConnectionsOptions {
  address: string;
  connections: number;
  seconds: number;
  /** Bytes of the request. */
  request: string;
}

export interface ConnectionsResult {
  completed: number;
  rejected: number;
  seconds: number;
  /** Latencies of what was completed. */
  p50Ms: number;
  p99Ms: number;
}

const run = promisify(execFile);

/** Sends a request over each connection, and the next one after each response, from a process of its own. */
export async function load(
  address: string,
  { connections, seconds, request }: Omit<ConnectionsOptions, "address">,
): Promise<ConnectionsResult> {
  const options: ConnectionsOptions = { address, connections, seconds, request };
  const script = fileURLToPath(new URL("connections.ts", import.meta.url));
  const { stdout } = await run(process.execPath, [script, JSON.stringify(options)]);
  return JSON.parse(stdout);
}

export function describe({ completed, rejected, seconds, p50Ms, p99Ms }: ConnectionsResult): string {
  const perSecond = (count: number) => (count / seconds).toFixed(0);
  const latencies = `p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`;
  return `${perSecond(completed)} completed/s, ${perSecond(rejected)} rejected/s, ${latencies}`;
}

export function buildRequest(path: string, data: object, headers: Record<string, string>): string {
  return requestText(path, headers, JSON.stringify({ data }));
}

/** Sends bytes over a new connection and reads nothing. */
export function sendAndIgnore(address: string, ...parts: (string | Uint8Array)[]): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {}).pause();
  for (const part of parts) socket.write(part);
  return socket;
}
