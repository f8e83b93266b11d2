import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Returns a free port. It is none of those that the system gives to others, so that it stays free. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  const server = createServer();
  const isFree = await new Promise((resolve) => {
    server.once("error", () => resolve(false)).listen(port, () => server.close(() => resolve(true)));
  });
  return isFree ? port : freePort();
}
