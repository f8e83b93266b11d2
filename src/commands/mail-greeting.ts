import { connect as connectPlain, isIP } from "node:net";
import { connect as connectTls } from "node:tls";

const TIMEOUT_MS = 5_000;
const MAX_GREETING_LENGTH = 512;
/** Those of the mail library. */
const DEFAULT_PORTS = { plain: 587, tls: 465 };

/** The first line that the mail server of an smtp: or smtps: address says. Signs in with nothing, sends nothing. */
export async function readGreeting(smtpUrl: string): Promise<string> {
  const url = new URL(smtpUrl);
  const isTls = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port) || (isTls ? DEFAULT_PORTS.tls : DEFAULT_PORTS.plain);
  const servername = isIP(host) ? {} : { servername: host };
  const socket = isTls ? connectTls({ host, port, ...servername }) : connectPlain({ host, port });
  // Closes the socket with an error when the whole takes longer, however slowly bytes come.
  const timeout = setTimeout(() => socket.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  try {
    let text = "";
    for await (const chunk of socket.setEncoding("latin1")) {
      text += chunk;
      if (text.includes("\n") || text.length > MAX_GREETING_LENGTH) break;
    }
    const line = text.split(/\r?\n/, 1)[0] ?? "";
    if (!line.startsWith("220")) throw new Error(line === "" ? "the connection was closed" : `it says "${line}"`);
    return line;
  } finally {
    clearTimeout(timeout);
    socket.destroy();
  }
}
