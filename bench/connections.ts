/**
 * Sends one request over each of many connections, and the next one after each response, for some seconds. Reconnects
 * when the service closes a connection. Takes a JSON object with the options as argument, and prints the result as
 * JSON. Rejected requests do not count in the latencies, as they would with wrk.
 */
import { connect, type Socket } from "node:net";
import type { ConnectionsOptions, ConnectionsResult } from "./connection-load.ts";

const CONNECTS_AT_ONCE = 200;
const CONNECT_INTERVAL_MS = 20;

const options: ConnectionsOptions = JSON.parse(process.argv[2] ?? "");
const { hostname, port } = new URL(options.address);
const latencies: number[] = [];
let isMeasuring = false;
let isOver = false;
let rejected = 0;

function open(onOpen?: () => void): void {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received = "";
  let sentAt = 0;
  function send(): void {
    if (isOver) return void socket.destroy();
    sentAt = performance.now();
    socket.write(options.request);
  }
  function reopen(): void {
    if (!isOver) open();
  }
  socket.setEncoding("latin1");
  socket.on("connect", () => (onOpen ? onOpen() : send()));
  socket.on("error", () => {});
  socket.on("close", reopen);
  socket.on("data", (text: string) => {
    received += text;
    const end = getResponseEnd(received);
    if (end === undefined || received.length < end) return;
    count(received, performance.now() - sentAt);
    const mustClose = /\r\nconnection: close\r\n/i.test(received.slice(0, end));
    received = "";
    if (mustClose) socket.end();
    else send();
  });
  starts.push({ socket, send });
}

const starts: { socket: Socket; send(): void }[] = [];

function getResponseEnd(received: string): number | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  return headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
}

function count(response: string, latencyMs: number): void {
  if (!isMeasuring) return;
  if (response.startsWith("HTTP/1.1 2")) latencies.push(latencyMs);
  else rejected++;
}

let opened = 0;
for (let number = 0; number < options.connections; number++) {
  open(() => opened++);
  if (number % CONNECTS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, CONNECT_INTERVAL_MS));
}
while (opened < options.connections) await new Promise((resolve) => setTimeout(resolve, CONNECT_INTERVAL_MS));
for (const { send } of starts.splice(0)) send();
isMeasuring = true;
const startedAt = performance.now();
setTimeout(() => {
  isOver = true;
  const sorted = latencies.sort((one, other) => one - other);
  const result: ConnectionsResult = {
    completed: sorted.length,
    rejected,
    seconds: (performance.now() - startedAt) / 1000,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
  process.stdout.write(JSON.stringify(result), () => process.exit());
}, options.seconds * 1000);
