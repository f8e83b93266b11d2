/**
 * A server of the scenario `engine`. Takes its kind as argument and prints its address. Each kind parses the body as
 * JSON and responds with the same bytes: `node` is bare `node:http`, `fastify` bare Fastify, and `colloquy` the service
 * with an authenticated operation that does nothing.
 */
import { createServer } from "node:http";
import Fastify from "fastify";
import Type from "typebox";
import { readConfig } from "../src/config/config.ts";
import { createLogger } from "../src/config/log.ts";
import { operation } from "../src/contract/operation.ts";
import { operations } from "../src/operations.ts";
import { registerRoutes } from "../src/service/server.ts";
import { START_STEPS, startService } from "../src/service/service.ts";
import { ENGINE_PATH } from "./engine.ts";

const doNothing = operation({
  path: ENGINE_PATH,
  summary: "Do nothing",
  message: "Done.",
  scope: "read",
  request: Type.Object({}),
  example: {},
  handle: async () => undefined,
});

const RESPONSE = { result: { status: "success", message: doNothing.message } };

const SERVERS: Record<string, () => Promise<string>> = {
  async node() {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        JSON.parse(Buffer.concat(chunks).toString("utf8"));
        const body = JSON.stringify(RESPONSE);
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
        response.end(body);
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    if (!address || typeof address === "string") throw new Error("the server has no port");
    return `http://127.0.0.1:${address.port}`;
  },
  fastify() {
    const server = Fastify();
    server.post(ENGINE_PATH, async () => RESPONSE);
    return server.listen({ host: "127.0.0.1", port: 0 });
  },
  async colloquy() {
    const config = readConfig();
    const steps: typeof START_STEPS = {
      ...START_STEPS,
      registerRoutes: (context, dependencies) => registerRoutes(context, dependencies, [...operations, doNothing]),
    };
    return (await startService(config, createLogger(config.logLevel), { steps })).address;
  },
};

const start = SERVERS[process.argv[2] ?? ""];
if (!start) throw new Error("usage: engine-server.ts node|fastify|colloquy");
console.log(await start());
