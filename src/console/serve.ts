import type { FastifyInstance } from "fastify";
import { registerConsolePage } from "./page.ts";
import { registerSessions, type SessionOptions } from "./session.ts";

/** Adds the console: its page, its files, and the requests that sign in and out. */
export async function registerConsole(server: FastifyInstance, options: SessionOptions): Promise<void> {
  registerSessions(server, options);
  await registerConsolePage(server, options.sessionCookies);
}
