import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { readGreeting } from "./mail-greeting.ts";

async function mailServer(greet: (socket: Socket) => void): Promise<string> {
  const server = createServer(greet).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `smtp://user:secret@127.0.0.1:${addressOf(server.address()).port}`;
}

/** Holds for a server that listens on TCP. */
function addressOf(address: string | AddressInfo | null): AddressInfo {
  return address as AddressInfo;
}

test("a mail server's greeting is read, however it is cut into packets", async () => {
  const url = await mailServer((socket) => {
    socket.write("220 mail.acme.");
    socket.write("example ESMTP\r\n");
  });
  expect(await readGreeting(url)).toBe("220 mail.acme.example ESMTP");
});

test("a mail server that refuses is quoted", async () => {
  const url = await mailServer((socket) => socket.end("554 no service here\r\n"));
  await expect(readGreeting(url)).rejects.toThrow('it says "554 no service here"');
});

test("a server that says nothing is no mail server", async () => {
  const url = await mailServer((socket) => socket.end());
  await expect(readGreeting(url)).rejects.toThrow("the connection was closed");
});
