import type { LookupAddress, LookupAllOptions } from "node:dns";
import { lookup } from "node:dns/promises";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { connect, isIP, type LookupFunction, Socket } from "node:net";
import { urlToHttpOptions } from "node:url";
import { isPublicAddress } from "./public-addresses.ts";
import { resolveName } from "./resolve-name.ts";

/** Code of the error of a connection that was not made because of its address. Node.js uses the same. */
export const BLOCKED = "ERR_IP_BLOCKED";

/** Code of the error of a request to which the receiver responded with another protocol (101). */
export const UPGRADED = "UPGRADED";

/** Time for which a connection is kept open for the next request. */
const IDLE_MS = 10_000;

/** Resolves a name to its addresses. Throws an error with a code of `dns.lookup`. */
type Resolve = (name: string, options: LookupAllOptions) => Promise<LookupAddress[]>;

interface RequestOptions {
  method: string;
  headers: OutgoingHttpHeaders;
  signal: AbortSignal;
}

/**
 * Connects to hosts that tenants have named, only on public addresses unless private ones are allowed. A name is
 * resolved once for each connection, and the connection is made to one of the addresses that were checked: a name that
 * resolves differently from one moment to the next (DNS rebinding) cannot pass.
 */
export class OutgoingConnections {
  readonly #isAllowed: (address: string) => boolean;
  readonly #resolve: Resolve;
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;

  /** Tests replace what is public and how names are resolved. */
  constructor(
    { allowPrivateAddresses }: { allowPrivateAddresses: boolean },
    { isPublic = isPublicAddress, resolve }: { isPublic?: typeof isPublicAddress; resolve?: Resolve } = {},
  ) {
    this.#isAllowed = allowPrivateAddresses ? () => true : isPublic;
    // Private names are often in the file of hosts or in a search domain, which only the operating system knows.
    this.#resolve = resolve ?? (allowPrivateAddresses ? lookup : (name) => resolveName(name));
    // Node.js ignores `blockList` in the options of an https.Agent, but passes `lookup` on to each connection.
    const options = { keepAlive: true, timeout: IDLE_MS, lookup: this.#lookup };
    this.#http = new HttpAgent(options);
    this.#https = new HttpsAgent(options);
  }

  /** Opens a TCP connection. The socket fails with the code `BLOCKED` if no address of the host is allowed. */
  connect({ host, port, timeoutMs }: { host: string; port: number; timeoutMs: number }): Socket {
    const error = this.#findError(host);
    return error ? new Socket().destroy(error) : connect({ host, port, timeout: timeoutMs, lookup: this.#lookup });
  }

  /**
   * Sends a request and returns the response, once its headers have arrived. Follows no redirects. Throws an error with
   * the code `BLOCKED` if no address of the host is allowed.
   */
  request(url: URL, options: RequestOptions, body = ""): Promise<IncomingMessage> {
    const target = urlToHttpOptions(url);
    return new Promise((resolve, reject) => {
      const error = this.#findError(target.hostname ?? "");
      if (error) return reject(error);
      const request =
        url.protocol === "https:"
          ? httpsRequest({ ...target, ...options, agent: this.#https }, resolve)
          : httpRequest({ ...target, ...options, agent: this.#http }, resolve);
      // Node.js closes the connection without any other event if nobody listens for this one.
      request.on("upgrade", (response, socket) => {
        socket.destroy();
        reject(Object.assign(new Error(`HTTP ${response.statusCode}`), { code: UPGRADED }));
      });
      request.on("error", reject).end(body);
    });
  }

  /** Closes the connections that are kept open for further requests. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /** Returns the error of a host that is an address. Node.js calls `lookup` only for names. */
  #findError(host: string): Error | undefined {
    return isIP(host) === 0 || this.#isAllowed(host) ? undefined : getBlockedError(host);
  }

  /** Resolves a name to its allowed addresses, to which alone Node.js then connects. */
  readonly #lookup: LookupFunction = (name, options, done) => {
    this.#resolve(name, { ...options, all: true }).then(
      (found) => {
        const allowed = found.filter(({ address }) => this.#isAllowed(address));
        const [first] = allowed;
        if (!first) return done(getBlockedError(name), []);
        if (options.all) return done(null, allowed);
        done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
}

function getBlockedError(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} has no allowed address`), { code: BLOCKED });
}
