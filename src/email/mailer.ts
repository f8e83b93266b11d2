import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Mailbox, mailboxOf } from "./address.ts";
import type { Mail } from "./message.ts";
import type { Outbox, OutboxMark } from "./outbox.ts";
import type { SmtpConnection } from "./providers.ts";
import { type Delivery, SmtpRoute, type SmtpServer } from "./smtp-route.ts";

/** Maximum number of servers with open connections. Past it, the longest idle one is closed. */
const MAX_ROUTES = 50;

/** Sends each mail through its server, over connections that are reused. */
export class Mailer {
  /** Sender of mails for workspaces without their own. */
  readonly sender: Mailbox;
  /** Outcomes of mails and attempts in this process since it started. */
  readonly counts = { sent: 0, deferred: 0, refused: 0, uncertain: 0, expired: 0, withdrawn: 0 };
  /** Folder of mails for which there is no server. */
  readonly outbox: Outbox;
  readonly #smtpUrl: string | undefined;
  readonly #routes = new LRUCache<string, SmtpRoute>({ max: MAX_ROUTES, dispose: (route) => route.close() });

  constructor(options: { smtpUrl: string | undefined; mailFrom: string; outbox: Outbox }) {
    this.sender = mailboxOf(options.mailFrom);
    this.#smtpUrl = options.smtpUrl;
    this.outbox = options.outbox;
  }

  /** Whether there is a server for workspaces without one of their own. */
  get hasServer(): boolean {
    return this.#smtpUrl !== undefined;
  }

  /** Makes one attempt: by `provider`, else by SMTP_URL, else into the outbox. Mails of no workspace have no mark. */
  async deliver(
    mail: Mail,
    provider: SmtpConnection | undefined,
    mark: OutboxMark | undefined,
    signal: AbortSignal,
  ): Promise<Delivery> {
    const server = provider ?? (this.#smtpUrl === undefined ? undefined : { url: this.#smtpUrl });
    if (server) return this.#routeTo(server).send(mail, signal);
    await this.outbox.keep(mail, mark);
    return { outcome: "sent" };
  }

  close(): void {
    this.#routes.clear();
  }

  #routeTo(server: SmtpServer): SmtpRoute {
    const key = hash("sha256", JSON.stringify(server), "hex");
    const known = this.#routes.get(key);
    if (known) return known;
    const route = new SmtpRoute(server);
    this.#routes.set(key, route);
    return route;
  }
}
