/**
 * Receives webhooks for `npm run bench -- webhooks`. Comments have the time of their adding as their text. `GET`
 * returns what was received since the last `DELETE`. Messages to `/hang` never get a response.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Received } from "./webhooks.ts";

let latencies: number[] = [];

const server = createServer(async (request, response) => {
  if (request.method === "DELETE") {
    latencies = [];
    return void response.end();
  }
  if (request.method === "GET") {
    const sorted = latencies.toSorted((one, other) => one - other);
    const percentile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
    const received: Received = { count: sorted.length, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
    return void response.end(JSON.stringify(received));
  }
  if (request.url === "/hang") return;
  const { data } = Object(await json(request));
  latencies.push(Date.now() - Number(data.targetComment.commentText));
  response.writeHead(204).end();
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${port}`);
});
