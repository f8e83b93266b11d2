import { once } from "node:events";
import { connect, type Socket } from "node:net";

interface RawResponse {
  httpStatus: number;
  headers: Map<string, string>;
  body: unknown;
}

/** A TCP connection to the service, for requests that no HTTP client sends. */
export class RawConnection {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #isEnded = false;
  #news = Promise.withResolvers<void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    socket.on("error", () => {});
    for (const event of ["end", "close"]) {
      socket.on(event, () => {
        this.#isEnded = true;
        this.#wake();
      });
    }
  }

  static async open(address: string): Promise<RawConnection> {
    const { hostname, port } = new URL(address);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    const connection = new RawConnection(socket);
    await once(socket, "connect");
    return connection;
  }

  /** Resolves when the bytes have left this process. */
  send(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Returns the next response. Throws if the connection ends before the response is complete. */
  async respond(): Promise<RawResponse> {
    for (;;) {
      const respond = this.#take();
      if (respond) return respond;
      if (this.#isEnded) throw new Error(`The connection ended after ${JSON.stringify(this.#received.toString())}`);
      await this.#news.promise;
    }
  }

  /** Resolves when the service has closed the connection. Throws if more has been received than the responses taken. */
  async expectEnd(): Promise<void> {
    while (!this.#isEnded) await this.#news.promise;
    if (this.#received.length > 0) throw new Error(`More was received: ${this.#received.toString()}`);
  }

  #take(): RawResponse | undefined {
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd < 0) return undefined;
    const [statusLine = "", ...lines] = this.#received.toString("latin1", 0, headEnd).split("\r\n");
    const headers = new Map(lines.map((line) => getHeader(line)));
    const end = headEnd + 4 + Number(headers.get("content-length"));
    if (this.#received.length < end) return undefined;
    const body: unknown = JSON.parse(this.#received.toString("utf8", headEnd + 4, end));
    this.#received = this.#received.subarray(end);
    return { httpStatus: Number(statusLine.split(" ")[1]), headers, body };
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }
}

function getHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** Returns the text of an HTTP request. Adds a content length unless the headers define the length. */
export function requestText(path: string, headers: Record<string, string>, body: string): string {
  const all = { host: "localhost", "content-type": "application/json", ...headers };
  const hasFraming = "content-length" in all || "transfer-encoding" in all;
  const length = hasFraming ? {} : { "content-length": Buffer.byteLength(body) };
  const lines = Object.entries({ ...all, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
