import type { FastifyInstance } from "fastify";
import { registerConsolePage } from "./page.ts";
import { registerSessions, type SessionOptions } from "./session.ts";

/** What browsers ask for below `/console`. */
export function registerConsole(server: FastifyInstance, options: SessionOptions): void {
  registerSessions(server, options);
  registerConsolePage(server, options.sessionCookies);
}
