import pg from "pg";
import type { Logger } from "pino";

export interface Listener {
  /** False while notifications may be missed: what depends on them must not be believed then. */
  readonly isListening: boolean;
  stop(): Promise<void>;
}

const RETRY_MS = 500;

/**
 * Calls `onMessage` for each NOTIFY on the channel, and once after every connection, as some may have been missed
 * before it. Connects again by itself. Resolves when it listens for the first time.
 */
export async function listen(options: {
  connection: pg.ClientConfig;
  channel: string;
  onMessage: () => void;
  log: Logger;
}): Promise<Listener> {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isListening = false;
  let isStopped = false;

  async function connect(): Promise<void> {
    const next = new pg.Client(options.connection);
    next.on("error", () => lose(next));
    next.on("end", () => lose(next));
    next.on("notification", options.onMessage);
    client = next;
    await next.connect();
    await next.query(`listen ${options.channel}`);
    isListening = !isStopped;
    options.onMessage();
  }

  function lose(lost: pg.Client): void {
    if (lost !== client) return;
    isListening = false;
    client = undefined;
    lost.removeAllListeners("notification");
    if (isStopped) return;
    options.log.warn({ channel: options.channel }, "the listening database connection ended; connecting again");
    retry = setTimeout(() => void connect().catch(() => client && lose(client)), RETRY_MS);
  }

  await connect();
  return {
    get isListening() {
      return isListening;
    },
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
