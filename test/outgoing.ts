import { createServer, type Server } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { onTestFinished } from "vitest";
import { OutgoingConnections } from "../src/outgoing/connections.ts";

/** Spellings of loopback addresses in a URL, by which a listener on all addresses of this machine can be reached. */
export const LOOPBACK_HOSTS = [
  ...["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001"],
  ...["localhost", "LOCALHOST", "0.0.0.0", "0", "[::1]", "[0:0:0:0:0:0:0:1]", "[::]"],
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
];

/** Spellings that lead to loopback only with some operating systems and networks. */
export const TRANSLATED_HOSTS = [
  "127.255.255.254",
  "[::FFFF:0:0]",
  "[::127.0.0.1]",
  "[::ffff:0:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
];

/** Returns connections without a limit on addresses. */
export function anyConnections(): OutgoingConnections {
  const connections = new OutgoingConnections({ allowPrivateAddresses: true });
  onTestFinished(() => connections.close());
  return connections;
}

/** Starts a server on all addresses of this machine, or listens with one of another protocol. Counts connections. */
export async function startListener(server: Server = createServer((socket) => socket.destroy())) {
  let connections = 0;
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    get connections() {
      return connections;
    },
  };
}

/** Lets TLS clients of this test trust `CERTIFICATE`. */
export function trustCertificate(): void {
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, CERTIFICATE.cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
}

/** A self-signed certificate for hooks.example, mail.example, localhost and its addresses. It protects nothing. */
export const CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg34z9+jIuQUoC48K6
QGRIVkUVPMzhH1f+g4uwyQdAN6+hRANCAATGxbgf5fUyQB5QWEyM4tpouJswUgMN
TNcJI/wThdnhaUvbzKB8jifIHQROw3gka0+dlHJGRMOLxx9KPpqM5aOS
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBoTCCAUagAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5Db2xsb3F1
eSB0ZXN0czAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOQ29sbG9xdXkgdGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATG
xbgf5fUyQB5QWEyM4tpouJswUgMNTNcJI/wThdnhaUvbzKB8jifIHQROw3gka0+d
lHJGRMOLxx9KPpqM5aOSo30wezAPBgNVHRMBAf8EBTADAQH/MEkGA1UdEQRCMECC
DWhvb2tzLmV4YW1wbGWCDG1haWwuZXhhbXBsZYIJbG9jYWxob3N0hwR/AAABhxAA
AAAAAAAAAAAAAAAAAAABMB0GA1UdDgQWBBRSix5xbI+7BW5DLSgyeLR8Qe5ulzAK
BggqhkjOPQQDAgNJADBGAiEApjafvhA9Bt/pixZbsostVbu2K0HWUvwwbNkxbxkn
MEQCIQDVm2bphqbcWhmb5ABt5RrR+uY8VgHLcD379dp5CUQ4Bw==
-----END CERTIFICATE-----`,
};
