import { Socket } from "node:net";
import pg from "pg";
import { ConfigurationError } from "../config/configuration-error.ts";

/** Runs `work` on a connection of its own, each of whose steps may take `limitMs`. `signal` ends it. */
export async function withBriefConnection<Result>(
  connection: pg.ClientConfig,
  { limitMs, signal }: { limitMs: number; signal?: AbortSignal | undefined },
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = createClient({
    ...connection,
    stream: () => new Socket(signal && { signal }),
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  // The next statement reports a lost connection; an unhandled error event would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Creates a client, which reads files named in the URL's parameters, such as `sslrootcert`. */
function createClient(connection: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(connection);
  } catch (error) {
    throw new ConfigurationError(`DATABASE_URL cannot be used: ${describeReason(error)}.`);
  }
}

/** Returns the message of an error, without a full stop. */
export function describeReason(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(describeReason))].join(", ");
  if (!(error instanceof Error)) return String(error);
  return error.message.trim().replace(/\.$/, "");
}
