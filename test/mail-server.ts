import type { AddressInfo, Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";

interface ReceivedMail {
  /** Recipients of the envelope. */
  to: string[];
  raw: string;
  parsed: Email;
}

/** An SMTP server that records the mails it receives. */
export interface MailServer {
  url: string;
  port: number;
  /** Accepted mails in the order of arrival. */
  mails: ReceivedMail[];
  /** Number of connections so far. */
  connections: number;
  /** Closes the connection of a session without a response. */
  drop(session: SMTPServerSession): void;
  close(): Promise<void>;
}

interface Behaviour {
  /** Called with the content of each mail. The server accepts the mail unless this throws, see `smtpError`. */
  respond?(content: string): Promise<void> | void;
  options?: SMTPServerOptions;
  port?: number;
}

/** Returns an error that makes the server reject with this code and message. */
export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

export async function startMailServer({ respond, options, port = 0 }: Behaviour = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections++;
      done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks).toString();
        try {
          await respond?.(raw);
          const to = session.envelope.rcptTo.map(({ address }) => address);
          mails.push({ to, raw, parsed: await PostalMime.parse(raw) });
          done();
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      });
    },
    ...options,
  });
  const sockets = new Map<number | undefined, Socket>();
  server.server.on("connection", (socket) => {
    const port = socket.remotePort;
    sockets.set(port, socket);
    socket.on("close", () => sockets.delete(port));
  });
  // Clients that drop their connection cause errors, which tests do not look at.
  server.on("error", () => {});
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  const address = getAddress(server.server.address());
  return {
    url: `${options?.secure ? "smtps" : "smtp"}://127.0.0.1:${address.port}`,
    port: address.port,
    mails,
    get connections() {
      return connections;
    },
    drop: ({ remotePort }) => void sockets.get(remotePort)?.destroy(),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Casts the address, which is an object for a server that listens on TCP. */
function getAddress(address: string | AddressInfo | null): AddressInfo {
  return address as AddressInfo;
}
