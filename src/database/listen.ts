import pg from "pg";
import type { Logger } from "pino";

const RETRY_MS = 500;

/**
 * Calls `onMessage` for each NOTIFY on the channel. `onListening` is told when listening begins and ends; while it has
 * ended, notifications are missed. Reconnects by itself. Resolves when it listens for the first time.
 */
export async function listen(options: {
  connection: pg.ClientConfig;
  channel: string;
  onMessage(): void;
  onListening(isListening: boolean): void;
  log: Logger;
}): Promise<{ stop(): Promise<void> }> {
  const { connection, channel, onMessage, onListening, log } = options;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function connect(): Promise<void> {
    const next = new pg.Client(connection);
    next.on("error", () => lose(next));
    next.on("end", () => lose(next));
    next.on("notification", onMessage);
    client = next;
    await next.connect();
    await next.query(`listen ${channel}`);
    if (!isStopped) onListening(true);
  }

  function lose(lost: pg.Client): void {
    if (lost !== client) return;
    onListening(false);
    client = undefined;
    lost.removeAllListeners("notification");
    if (isStopped) return;
    log.warn({ channel }, "the listening database connection ended; connecting again");
    retry = setTimeout(() => void connect().catch(() => client && lose(client)), RETRY_MS);
  }

  async function stop(): Promise<void> {
    isStopped = true;
    clearTimeout(retry);
    await client?.end().catch(() => {});
  }

  try {
    await connect();
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
