import type { FastifyInstance } from "fastify";
import { registerConsolePage } from "./page.ts";

/** Adds the console: its page. */
export function registerConsole(server: FastifyInstance): void {
  registerConsolePage(server);
}
