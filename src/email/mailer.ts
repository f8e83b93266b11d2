import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { OutgoingConnections } from "../outgoing/connections.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { getMailbox, type Mailbox } from "./address.ts";
import type { Mail } from "./message.ts";
import type { Outbox, OutboxMark } from "./outbox.ts";
import type { SmtpConnection } from "./providers.ts";
import type { SendResult } from "./send-attempt.ts";
import type { SmtpRoute, SmtpServer } from "./smtp-route.ts";

/** Maximum number of servers with open connections. Past it, the longest idle one is closed. */
const MAX_ROUTES = 50;

interface DeliveryOptions {
  /** The workspace's own server. */
  provider?: SmtpConnection | undefined;
  /** Mails of no workspace have none. */
  mark?: OutboxMark;
  signal: AbortSignal;
}

/** Sends each mail through its server, over connections that are reused. */
export class Mailer {
  /** Sender of mails for workspaces without their own. */
  readonly sender: Mailbox;
  /** Outcomes of mails and attempts in this process since it started. */
  readonly counts = { sent: 0, deferred: 0, rejected: 0, uncertain: 0, expired: 0, canceled: 0 };
  /** Folder of mails for which there is no server. */
  readonly outbox: Outbox;
  readonly #smtpUrl: string | undefined;
  readonly #connections: OutgoingConnections;
  readonly #telemetry: Telemetry | undefined;
  readonly #routes = new LRUCache<string, SmtpRoute>({ max: MAX_ROUTES, dispose: (route) => route.close() });

  constructor(options: {
    smtpUrl: string | undefined;
    mailFrom: string;
    outbox: Outbox;
    /** Opens the connections to servers of workspaces. */
    connections: OutgoingConnections;
    telemetry?: Telemetry | undefined;
  }) {
    this.sender = getMailbox(options.mailFrom);
    this.#smtpUrl = options.smtpUrl;
    this.outbox = options.outbox;
    this.#connections = options.connections;
    this.#telemetry = options.telemetry;
  }

  /** Whether there is a server for workspaces without one of their own. */
  get hasServer(): boolean {
    return this.#smtpUrl !== undefined;
  }

  /** Makes one attempt: by `provider`, else by SMTP_URL, else into the outbox. */
  send(mail: Mail, options: DeliveryOptions): Promise<SendResult> {
    const attempt = () => this.#attempt(mail, options);
    if (!this.#telemetry) return attempt();
    const span = { kind: "mail" as const, name: "mail" };
    return this.#telemetry.measure(span, attempt, ({ outcome }) => ({ "colloquy.mail.outcome": outcome }));
  }

  close(): void {
    this.#routes.clear();
  }

  async #attempt(mail: Mail, { provider, mark, signal }: DeliveryOptions): Promise<SendResult> {
    const server = provider ?? (this.#smtpUrl === undefined ? undefined : { url: this.#smtpUrl });
    if (server) return (await this.#routeTo(server)).send(mail, signal);
    await this.outbox.keep(mail, mark);
    return { outcome: "sent", explanation: "is in the outbox, because no mail server is configured" };
  }

  async #routeTo(server: SmtpServer): Promise<SmtpRoute> {
    // Imported with the first mail, because its library takes 5 MB of memory.
    const { SmtpRoute } = await import("./smtp-route.ts");
    const key = hash("sha256", JSON.stringify(server), "hex");
    const known = this.#routes.get(key);
    if (known) return known;
    const route = new SmtpRoute(server, this.#connections);
    this.#routes.set(key, route);
    return route;
  }
}
