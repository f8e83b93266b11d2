import { createSocket } from "node:dgram";
import { once } from "node:events";
import { onTestFinished } from "vitest";

const HEADER_BYTES = 12;
const TYPE_A = 1;
const UNKNOWN_NAME = 3;

/**
 * Starts a name server on loopback. It resolves names that begin with "known" to 127.0.0.1, says that those that begin
 * with "unknown" do not exist, and does not respond about others. Returns its address, and the names that it was asked
 * for.
 */
export async function startNameServer(): Promise<{ address: string; names: Set<string> }> {
  const names = new Set<string>();
  const server = createSocket("udp4");
  onTestFinished(() => void server.close());
  server.on("message", (query, { port, address }) => {
    const end = query.indexOf(0, HEADER_BYTES);
    const name = getName(query.subarray(HEADER_BYTES, end));
    names.add(name);
    const type = query.readUInt16BE(end + 1);
    const question = query.subarray(HEADER_BYTES, end + 5);
    const hasAddress = name.startsWith("known") && type === TYPE_A;
    if (!hasAddress && !/^(un)?known/.test(name)) return;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16BE(query.readUInt16BE(0), 0);
    header.writeUInt16BE(0x8180 | (name.startsWith("unknown") ? UNKNOWN_NAME : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(hasAddress ? 1 : 0, 6);
    // The name of the question, type A, class IN, 0 s, and 4 bytes of address.
    const answer = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
    server.send(Buffer.concat([header, question, ...(hasAddress ? [answer] : [])]), port, address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  return { address: `127.0.0.1:${server.address().port}`, names };
}

/** Returns the name of labels, each of which has its length before it. */
function getName(labels: Uint8Array): string {
  const name: string[] = [];
  for (let at = 0; at < labels.length; at += 1 + (labels[at] ?? 0)) {
    name.push(Buffer.from(labels.subarray(at + 1, at + 1 + (labels[at] ?? 0))).toString());
  }
  return name.join(".").toLowerCase();
}
