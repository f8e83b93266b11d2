import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { type Mail, messageOf } from "./message.ts";
import type { SmtpConnection } from "./providers.ts";

/** What has become of one attempt to send. */
export interface Delivery {
  /**
   * `sent`: the server has taken it. `refused`: it never will. `deferred`: it has not now, and may later.
   * `uncertain`: the connection was lost while the server held the content and had not answered.
   */
  outcome: "sent" | "refused" | "deferred" | "uncertain";
  /** Codes, and what the server said before it got the content; no address and no secret. */
  reason?: string;
}

/** An address with the options in its query, or what is made of a provider's settings. */
export type SmtpServer = { url: string } | SmtpConnection;

const OPTIONS = {
  pool: true,
  maxConnections: 4,
  // Whether a mail is sent again is decided here, where it is known whether it may have arrived.
  maxRequeues: 0,
  idleTimeout: 30_000,
  connectionTimeout: 10_000,
  dnsTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
} as const;
/** Of the whole attempt, however slowly the server answers. */
export const ATTEMPT_TIMEOUT_MS = 60_000;
/** How long a server that could not be reached is left alone. */
const AWAY_MS = 5_000;
const MAX_REASON_LENGTH = 200;

/** The connections to one mail server. */
export class SmtpRoute {
  readonly #transport: ReturnType<typeof createPool>;
  readonly #secrets: string[];
  /** The content of each mail under way, by its Message-ID: it tells whether the server has begun to get it. */
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

  /** One attempt, never more. Aborting it ends it at once; what it says is still true then. */
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

  /** Once what is under way is through. */
  close(): void {
    this.#transport.close();
  }

  #reasonOf({ code, command, responseCode, response }: Failure, hasBegun: boolean): string {
    const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
    const codes = [code, command, responseCode, enhanced].filter((part) => part !== undefined).join(" ");
    // A server that has the content may quote it.
    if (hasBegun || response === "") return codes;
    const clean = this.#secrets.reduce((text, secret) => text.replaceAll(secret, "…"), response);
    const said = clean.replace(/\S*@\S*/g, "…@…").replace(/[\s\p{C}]+/gu, " ");
    return `${codes}: ${said.slice(0, MAX_REASON_LENGTH)}`;
  }
}

function createPool(server: SmtpServer) {
  return createTransport({ ...OPTIONS, ...server });
}

/** What an answer must not bring into the log, longest first, as it stands and as it is sent. */
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
  /** Empty where the server has not answered. */
  response: string;
  /** The mail cannot be said in SMTP to this server, such as an address in letters that it does not know. */
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
  // Below 400 nothing is refused, whatever it was the answer to.
  if (responseCode !== undefined && responseCode >= 400) {
    // 503 says that the commands came in the wrong order, which another connection may mend.
    return responseCode >= 500 && responseCode !== 503 ? "refused" : "deferred";
  }
  if (hasBegun) return "uncertain";
  return isOurs && responseCode === undefined ? "refused" : "deferred";
}
