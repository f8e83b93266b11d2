import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { readGreeting } from "./mail-greeting.ts";

async function mailServer(greet: (socket: Socket) => void): Promise<string> {
  const server = createServer(greet).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `smtp://user:secret@127.0.0.1:${getAddress(server.address()).port}`;
}

/** Casts the address, which is an object for a server that listens on TCP. */
function getAddress(address: string | AddressInfo | null): AddressInfo {
  return address as AddressInfo;
}

test("a greeting that arrives in several packets is read as one line", async () => {
  const url = await mailServer((socket) => {
    socket.write("220 mail.acme.");
    socket.write("example ESMTP\r\n");
  });
  expect(await readGreeting(url)).toBe("220 mail.acme.example ESMTP");
});

test("the response of a mail server that rejects connections is quoted", async () => {
  const url = await mailServer((socket) => socket.end("554 no service here\r\n"));
  await expect(readGreeting(url)).rejects.toThrow('it responds "554 no service here"');
});

test("a server that closes the connection silently is reported", async () => {
  const url = await mailServer((socket) => socket.end());
  await expect(readGreeting(url)).rejects.toThrow("the connection was closed");
});
