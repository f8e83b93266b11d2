import { setTimeout as delay } from "node:timers/promises";
import type { SMTPServerOptions, SMTPServerSession } from "smtp-server";
import { type MailServer, smtpError, startMailServer } from "./mail-server.ts";
import type { Random } from "./random.ts";

interface AcceptedMail {
  messageId: string;
  to: string;
  content: string;
  /** Milliseconds since the epoch. */
  acceptedAt: number;
}

type Done = (error?: Error) => void;

const MAX_DELAY_MS = 150;

/**
 * A mail server that randomly accepts, delays or rejects mails temporarily, or drops the connection. It rejects
 * `nobody…` permanently as a recipient, and mails to `unwanted…` permanently after their content.
 */
export class UnreliableMailServer {
  readonly accepted: AcceptedMail[] = [];
  /** Recipients that were rejected permanently. */
  readonly rejected = new Set<string>();
  /** Recipients of mails whose connection ended after the server had asked for the content and before it responded. */
  readonly lost = new Set<string>();
  port = 0;
  /** Number of mails whose content is being received or has no response yet. */
  pendingContents = 0;
  readonly #random: Random;
  readonly #listeners = new Set<() => void>();
  #server: MailServer | undefined;
  #isReliable = false;

  constructor(random: Random) {
    this.#random = random;
  }

  async start(): Promise<void> {
    this.#server = await startMailServer({ port: this.port, options: this.#options() });
    this.port = this.#server.port;
  }

  /** Stops the server. Clients that wait for a response get none, or a 421. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }

  /** Accepts every later mail at once, unless its recipient is rejected permanently. */
  stopErrors(): void {
    this.#isReliable = true;
  }

  /** Resolves after this many further commands, contents and responses, in the middle of the last one. */
  nextEvents(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = count;
    const listener = () => {
      if (--left > 0) return;
      this.#listeners.delete(listener);
      resolve();
    };
    this.#listeners.add(listener);
    return promise;
  }

  #options(): SMTPServerOptions {
    return {
      onConnect: (session, done) => this.#respond(session, done, 421),
      onMailFrom: (_address, session, done) => this.#respond(session, done, 451),
      onRcptTo: ({ address }, session, done) => {
        if (!address.startsWith("nobody")) return this.#respond(session, done, 450);
        this.rejected.add(address);
        this.#signalEvent();
        done(smtpError(550, "no such user"));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        const isCut = this.#chance(0.05);
        this.pendingContents++;
        stream.on("error", () => {});
        stream.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          if (isCut) this.#dropConnection(session);
        });
        stream.on("end", () => void this.#decide(Buffer.concat(chunks).toString(), session, done));
        stream.on("close", () => {
          if (stream.readableEnded) return;
          this.pendingContents--;
          this.lost.add(getRecipient(session));
        });
        this.#signalEvent();
      },
    };
  }

  #respond(session: SMTPServerSession, done: Done, code: number): void {
    this.#signalEvent();
    if (this.#chance(0.01)) this.#server?.drop(session);
    done(this.#chance(0.04) ? smtpError(code, "not now") : undefined);
  }

  async #decide(content: string, session: SMTPServerSession, done: Done): Promise<void> {
    if (this.#chance(0.5)) await delay(this.#random.integer(1, MAX_DELAY_MS));
    this.pendingContents--;
    const to = getRecipient(session);
    this.#signalEvent();
    // A mail that got a 421 must not be accepted.
    if (!this.#server) {
      this.lost.add(to);
      return done(smtpError(421, "closing"));
    }
    if (to.startsWith("unwanted")) {
      this.rejected.add(to);
      return done(smtpError(554, "spam"));
    }
    if (this.#chance(0.1)) return done(smtpError(451, "not now"));
    if (this.#chance(0.05)) this.#dropConnection(session);
    else this.accepted.push({ messageId: messageIdIn(content), to, content, acceptedAt: Date.now() });
    if (this.#chance(0.05)) this.#dropConnection(session);
    done();
    this.#signalEvent();
  }

  #dropConnection(session: SMTPServerSession): void {
    this.lost.add(getRecipient(session));
    this.#server?.drop(session);
  }

  #chance(probability: number): boolean {
    return !this.#isReliable && this.#random.chance(probability);
  }

  #signalEvent(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function getRecipient({ envelope }: SMTPServerSession): string {
  return envelope.rcptTo[0]?.address ?? "";
}

function messageIdIn(content: string): string {
  return /^Message-ID: (.+)\r$/im.exec(content)?.[1] ?? "";
}
