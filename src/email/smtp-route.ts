import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { BLOCKED, type OutgoingConnections } from "../outgoing/connections.ts";
import { type Mail, toSendMailOptions } from "./message.ts";
import type { SmtpConnection } from "./providers.ts";
import { ATTEMPT_TIMEOUT_MS, type SendResult } from "./send-attempt.ts";

/** The URL of the operator with options in its query, or the connection of a workspace's provider. */
export type SmtpServer = { url: string } | SmtpConnection;

const CONNECTION_TIMEOUT_MS = 10_000;
const OPTIONS = {
  pool: true,
  maxConnections: 4,
  // Retries are decided here, because only here is it known whether the mail may have arrived.
  maxRequeues: 0,
  idleTimeout: 30_000,
  connectionTimeout: CONNECTION_TIMEOUT_MS,
  dnsTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
} as const;
/** Time after which an unreachable server is tried again. */
const RETRY_AFTER_MS = 5_000;
const MAX_REASON_LENGTH = 200;

/** Connections to one mail server. */
export class SmtpRoute {
  readonly #transport: ReturnType<typeof createPool>;
  readonly #secrets: string[];
  /** Contents of mails in progress by Message-ID. Whether one was read shows whether the server began to receive it. */
  readonly #contents = new Map<string, Readable>();
  #unreachable: { until: number; isBeingTried: boolean } | undefined;

  /** The server of a workspace is reached by `connections` alone. The URL of the operator is not limited. */
  constructor(server: SmtpServer, connections: OutgoingConnections) {
    this.#transport = createPool(server, connections);
    this.#secrets = getSecrets(server);
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
  async send(mail: Mail, signal: AbortSignal): Promise<SendResult> {
    if (this.#unreachable && (this.#unreachable.isBeingTried || Date.now() < this.#unreachable.until)) {
      return { outcome: "deferred", reason: "the server could not be reached a moment ago", explanation: UNREACHABLE };
    }
    if (this.#unreachable) this.#unreachable.isBeingTried = true;
    const message = toSendMailOptions(mail);
    const id = String(message.messageId);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    try {
      await this.#transport.sendMail({ ...message, signal: limit });
      this.#unreachable = undefined;
      return { outcome: "sent" };
    } catch (error) {
      const hasBegun = this.#contents.get(id)?.readableDidRead === true;
      const routeError = getError(error);
      const { code, responseCode, isOurs } = routeError;
      const isOfServer = responseCode === undefined && !isOurs && code !== BLOCKED;
      const isUnreachable = !hasBegun && isOfServer && !signal.aborted;
      this.#unreachable = isUnreachable ? { until: Date.now() + RETRY_AFTER_MS, isBeingTried: false } : undefined;
      const explanation = EXPLANATIONS.get(code) ?? "it did not accept the mail";
      const response = this.#getResponse(routeError, hasBegun);
      return {
        ...{ outcome: toOutcome(routeError, hasBegun), reason: this.#getReason(routeError, hasBegun), explanation },
        ...(response !== undefined && { response }),
      };
    } finally {
      this.#contents.delete(id);
    }
  }

  /** Closes the connections once the mails in progress are done. */
  close(): void {
    this.#transport.close();
  }

  #getReason({ code, command, responseCode, response }: SmtpRouteError, hasBegun: boolean): string {
    const codes = [code, command, ...getCodes(responseCode, response)].filter((part) => part !== undefined).join(" ");
    // A server that has received the content may quote it.
    return hasBegun || response === "" ? codes : `${codes}: ${this.#clean(response)}`;
  }

  /** Returns the response to a mail command, which only a server that has accepted the login and speaks SMTP gives. */
  #getResponse({ command = "", responseCode, response }: SmtpRouteError, hasBegun: boolean): string | undefined {
    if (responseCode === undefined || !MAIL_COMMANDS.has(command)) return undefined;
    return hasBegun ? getCodes(responseCode, response).join(" ") : this.#clean(response);
  }

  /** Returns the response in one line without secrets and addresses. */
  #clean(response: string): string {
    const clean = this.#secrets.reduce((text, secret) => text.replaceAll(secret, "…"), response);
    return clean
      .replace(/\S*@\S*/g, "…@…")
      .replace(/[\s\p{C}]+/gu, " ")
      .slice(0, MAX_REASON_LENGTH);
  }
}

const MAIL_COMMANDS = new Set(["MAIL FROM", "RCPT TO", "DATA"]);

/** Returns the code of a response, and the enhanced status code if it has one. */
function getCodes(responseCode: number | undefined, response: string): string[] {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  return [...(responseCode === undefined ? [] : [String(responseCode)]), ...(enhanced === undefined ? [] : [enhanced])];
}

function createPool(server: SmtpServer, connections: OutgoingConnections) {
  return createTransport({
    ...OPTIONS,
    ...server,
    ...("host" in server && { getSocket: socketTo(server, connections) }),
  });
}

/** Returns a function that opens each connection of a transport, which resolves no name of its own then. */
function socketTo({ host, port }: SmtpConnection, connections: OutgoingConnections) {
  return (_options: object, done: (error: Error | null, given: { connection: Socket } | false) => void): void => {
    const socket = connections.connect({ host, port, timeoutMs: CONNECTION_TIMEOUT_MS });
    const fail = (error: Error) => done(error, false);
    socket.once("error", fail);
    socket.once("timeout", () => socket.destroy(Object.assign(new Error("Connection timeout"), { code: "ETIMEDOUT" })));
    socket.once("connect", () => {
      socket.removeAllListeners("timeout").setTimeout(0);
      socket.removeListener("error", fail);
      done(null, { connection: socket });
    });
  };
}

const UNREACHABLE = "it could not be reached";
/** Explanations by the code of the error. */
const EXPLANATIONS = new Map([
  [BLOCKED, "its address is private, and ALLOW_PRIVATE_ADDRESSES is not set"],
  ...[
    "EAI_AGAIN",
    "ECONNECTION",
    "ECONNREFUSED",
    "EDNS",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENOTFOUND",
    "ESOCKET",
    "ETIMEDOUT",
  ].map((code) => [code, UNREACHABLE] as const),
  ["ETLS", "the connection could not be encrypted"],
  ["EAUTH", "it rejected the login"],
  ["EENVELOPE", "it rejected the sender or the recipient"],
  ["EMESSAGE", "it rejected the mail"],
  ["EPROTOCOL", "it does not speak SMTP"],
]);

/** Returns the secrets to remove from responses before they are logged, longest first, in raw and encoded form. */
function getSecrets(server: SmtpServer): string[] {
  const login = "url" in server ? getLogin(server.url) : server.auth;
  const plain = login ? [login.pass, login.user].filter((text) => text !== "") : [];
  const encoded = plain.map((text) => Buffer.from(text).toString("base64"));
  return [...plain, ...encoded].sort((a, b) => b.length - a.length);
}

function getLogin(text: string): { user: string; pass: string } {
  const { username, password } = new URL(text);
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return { user: username, pass: password };
  }
}

interface SmtpRouteError {
  code: string;
  command: string | undefined;
  responseCode: number | undefined;
  /** The server's response; empty if there is none. */
  response: string;
  /** Whether the mail cannot be expressed for this server, such as an address in an unsupported script. */
  isOurs: boolean;
}

function getError(error: unknown): SmtpRouteError {
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

function toOutcome({ responseCode, isOurs }: SmtpRouteError, hasBegun: boolean): SendResult["outcome"] {
  // Codes below 400 reject nothing.
  if (responseCode !== undefined && responseCode >= 400) {
    // 503 means that commands came in the wrong order, which another connection may fix.
    return responseCode >= 500 && responseCode !== 503 ? "rejected" : "deferred";
  }
  if (hasBegun) return "uncertain";
  return isOurs && responseCode === undefined ? "rejected" : "deferred";
}
