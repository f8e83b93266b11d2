import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { type Mail, messageOf } from "./message.ts";
import type { SmtpConnection } from "./providers.ts";

/** Outcome of one attempt to send. */
export interface Delivery {
  /**
   * `sent`: the server accepted the mail. `refused`: it never will. `deferred`: it may later. `uncertain`: the
   * connection was lost after the server received the content and before it answered.
   */
  outcome: "sent" | "refused" | "deferred" | "uncertain";
  /** Codes and the server's answer from before it received the content, without addresses and secrets. */
  reason?: string;
}

/** A URL with options in its query, or the connection of a provider. */
export type SmtpServer = { url: string } | SmtpConnection;

const OPTIONS = {
  pool: true,
  maxConnections: 4,
  // Retries are decided here, because only here is it known whether the mail may have arrived.
  maxRequeues: 0,
  idleTimeout: 30_000,
  connectionTimeout: 10_000,
  dnsTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
} as const;
/** Timeout of the whole attempt. */
export const ATTEMPT_TIMEOUT_MS = 60_000;
/** Time for which an unreachable server is not tried again. */
const AWAY_MS = 5_000;
const MAX_REASON_LENGTH = 200;

/** Connections to one mail server. */
export class SmtpRoute {
  readonly #transport: ReturnType<typeof createPool>;
  readonly #secrets: string[];
  /** Contents of mails in progress by Message-ID; they tell whether the server has started to receive them. */
  readonly #contents = new Map<string, Readable>();
  #away: { until: number; isBeingTried: boolean } | undefined;

  constructor(server: SmtpServer) {
    this.#transport = createPool(server);
    this.#secrets = secretsOf(server);
    this.#transport.use("stream", (message, done) => {
      const id = String(message.data.messageId);
      const open = message.message.createReadStream.bind(message.message);
      message.message.createReadStream = (options) => {
        const content = open(options);
        this.#contents.set(id, content);
        return content;
      };
      done();
    });
  }

  /** Makes exactly one attempt. An abort ends it at once, and the returned outcome is still correct. */
  async send(mail: Mail, signal: AbortSignal): Promise<Delivery> {
    if (this.#away && (this.#away.isBeingTried || Date.now() < this.#away.until)) {
      return { outcome: "deferred", reason: "the server could not be reached a moment ago" };
    }
    if (this.#away) this.#away.isBeingTried = true;
    const message = messageOf(mail);
    const id = String(message.messageId);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    try {
      await this.#transport.sendMail({ ...message, signal: limit });
      this.#away = undefined;
      return { outcome: "sent" };
    } catch (error) {
      const hasBegun = this.#contents.get(id)?.readableDidRead === true;
      const failure = failureOf(error);
      const isAway = !hasBegun && failure.responseCode === undefined && !failure.isOurs && !signal.aborted;
      this.#away = isAway ? { until: Date.now() + AWAY_MS, isBeingTried: false } : undefined;
      return { outcome: outcomeOf(failure, hasBegun), reason: this.#reasonOf(failure, hasBegun) };
    } finally {
      this.#contents.delete(id);
    }
  }

  /** Closes the connections once the mails in progress are done. */
  close(): void {
    this.#transport.close();
  }

  #reasonOf({ code, command, responseCode, response }: Failure, hasBegun: boolean): string {
    const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
    const codes = [code, command, responseCode, enhanced].filter((part) => part !== undefined).join(" ");
    // A server that has received the content may quote it.
    if (hasBegun || response === "") return codes;
    const clean = this.#secrets.reduce((text, secret) => text.replaceAll(secret, "…"), response);
    const said = clean.replace(/\S*@\S*/g, "…@…").replace(/[\s\p{C}]+/gu, " ");
    return `${codes}: ${said.slice(0, MAX_REASON_LENGTH)}`;
  }
}

function createPool(server: SmtpServer) {
  return createTransport({ ...OPTIONS, ...server });
}

/** Returns the secrets to remove from answers before they are logged, longest first, in raw and encoded form. */
function secretsOf(server: SmtpServer): string[] {
  const login = "url" in server ? loginOf(server.url) : server.auth;
  const plain = login ? [login.pass, login.user].filter((text) => text !== "") : [];
  const encoded = plain.map((text) => Buffer.from(text).toString("base64"));
  return [...plain, ...encoded].sort((a, b) => b.length - a.length);
}

function loginOf(text: string): { user: string; pass: string } {
  const { username, password } = new URL(text);
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return { user: username, pass: password };
  }
}

interface Failure {
  code: string;
  command: string | undefined;
  responseCode: number | undefined;
  /** The server's answer; empty if there is none. */
  response: string;
  /** Whether the mail cannot be expressed for this server, such as an address in an unsupported script. */
  isOurs: boolean;
}

function failureOf(error: unknown): Failure {
  const given: { [name: string]: unknown } = error instanceof Error ? { ...error } : {};
  const text = (name: string) => (typeof given[name] === "string" ? given[name] : undefined);
  const code = text("code") ?? "UNKNOWN";
  return {
    code,
    command: text("command"),
    responseCode: typeof given.responseCode === "number" ? given.responseCode : undefined,
    response: text("response") ?? "",
    isOurs: code === "EENVELOPE" || code === "EMESSAGE",
  };
}

function outcomeOf({ responseCode, isOurs }: Failure, hasBegun: boolean): Delivery["outcome"] {
  // Codes below 400 refuse nothing.
  if (responseCode !== undefined && responseCode >= 400) {
    // 503 means that commands came in the wrong order, which another connection may fix.
    return responseCode >= 500 && responseCode !== 503 ? "refused" : "deferred";
  }
  if (hasBegun) return "uncertain";
  return isOurs && responseCode === undefined ? "refused" : "deferred";
}
