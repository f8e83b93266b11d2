import { connect as connectPlain, isIP } from "node:net";
import { connect as connectTls } from "node:tls";

const TIMEOUT_MS = 5_000;
const MAX_GREETING_LENGTH = 512;
/** The defaults of nodemailer. */
const DEFAULT_PORTS = { plain: 587, tls: 465 };

/** Returns the first line of the mail server at an smtp: or smtps: address. Does not sign in or send anything. */
export async function readGreeting(smtpUrl: string): Promise<string> {
  const url = new URL(smtpUrl);
  const isTls = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port) || (isTls ? DEFAULT_PORTS.tls : DEFAULT_PORTS.plain);
  const servername = isIP(host) ? {} : { servername: host };
  const socket = isTls ? connectTls({ host, port, ...servername }) : connectPlain({ host, port });
  // The limit covers the whole greeting, since a slow server could send one byte at a time.
  const timeout = setTimeout(() => socket.destroy(new Error(`no response within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  try {
    let text = "";
    for await (const chunk of socket.setEncoding("latin1")) {
      text += chunk;
      if (text.includes("\n") || text.length > MAX_GREETING_LENGTH) break;
    }
    const line = text.split(/\r?\n/, 1)[0] ?? "";
    if (!line.startsWith("220")) throw new Error(line === "" ? "the connection was closed" : `it responds "${line}"`);
    return line;
  } finally {
    clearTimeout(timeout);
    socket.destroy();
  }
}
