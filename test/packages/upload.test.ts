import { expect, test, vi } from "vitest";
import { ColloquyError, createClient } from "../../packages/client/src/index.ts";
import { uploadFile } from "../../packages/client/src/upload.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { SCOPE } from "../factories.ts";
import { addCommentWith, readAttachments, readFileUrl, sendRaw, uploadFile as storeFile } from "../files.ts";
import { startTestService } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";
import { openSourcePage } from "./source-page.ts";

const POST = 'parent.postMessage("ran", "*"); opener?.postMessage("ran", "*")';

const service = await startTestService();
const workspace = await service.publicWorkspace();
// A user token reaches only an organization that exists.
await addCommentWith(workspace, []);

function userClient(getUserToken: () => Promise<string>) {
  return createClient({ url: service.address, getUserToken });
}

test("a client stores a file, which a comment then names", async () => {
  const client = userClient(() => tokenFor(workspace, "ada"));
  const onProgress = vi.fn();
  const file = new File(["The quick brown fox"], "fox.txt", { type: "text/plain" });
  const attachment = await uploadFile(client, file, { ...SCOPE, onProgress });
  expect(attachment).toEqual({ fileId: expect.any(String), name: "fox.txt", mimeType: "text/plain", size: 19 });
  expect(onProgress).toHaveBeenLastCalledWith(1);
  const annotationId = await addCommentWith(workspace, [attachment]);
  const [read] = await readAttachments(workspace, annotationId);
  expect(read).toMatchObject(attachment);
  expect((await sendRaw(read?.url ?? "", "GET")).body.toString()).toBe("The quick brown fox");
});

test("a client sends a file again after a failure, and takes it as stored if only the response was lost", async () => {
  const client = userClient(() => tokenFor(workspace, "ada"));
  vi.spyOn(Math, "random").mockReturnValue(0);
  const send = globalThis.fetch;
  let uploads = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url, options) => {
    const response = await send(url, options);
    if (options?.method === "PUT" && uploads++ === 0) throw new TypeError("the connection was lost");
    return response;
  });
  const { fileId } = await uploadFile(client, new Blob(["bytes"]), SCOPE);
  expect(uploads).toBe(2);
  vi.restoreAllMocks();
  await addCommentWith(workspace, [{ fileId }]);
});

test("a file that the service rejects is a ColloquyError", async () => {
  const client = userClient(() => tokenFor(workspace, "ada"));
  const empty = uploadFile(client, new Blob([]), SCOPE);
  await expect(empty).rejects.toThrow(ColloquyError);
});

describeInBrowser("in a browser", () => {
  test("a page stores a file, and learns how much of it is sent", async () => {
    await workspace.data("/v2/workspace/domains/add", { domains: ["localhost"] });
    const page = await openSourcePage(["client/src/index.ts", "client/src/upload.ts"], "<p></p>");
    const token = await tokenFor(workspace, "ada");
    const run = `(async () => {
      const client = createClient({ url: ${JSON.stringify(service.address)}, getUserToken: async () => "${token}" });
      const file = new File([new Uint8Array(3_000_000)], "zeros.bin");
      const parts = [];
      const onProgress = (part) => parts.push(part);
      const attachment = await uploadFile(client, file, { ...${JSON.stringify(SCOPE)}, onProgress });
      return { attachment, parts };
    })()`;
    const { attachment, parts } = await page.evaluate<{ attachment: { fileId: string }; parts: number[] }>(run);
    expect(attachment).toMatchObject({ name: "zeros.bin", mimeType: "application/octet-stream", size: 3_000_000 });
    expect(parts).toEqual([...parts].sort((one, other) => one - other));
    expect(parts.at(-1)).toBe(1);
    const url = await readFileUrl(workspace, await addCommentWith(workspace, [attachment]));
    const read = `(async () => {
      const response = await fetch(${JSON.stringify(url)}, { headers: { range: "bytes=0-9" } });
      return [response.status, response.headers.get("content-range"), (await response.blob()).size];
    })()`;
    expect(await page.evaluate(read)).toEqual([206, "bytes 0-9/3000000", 10]);
  });

  test.each([
    ["image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><script>${POST}</script></svg>`],
    ["text/html", `<script>${POST}</script>`],
    ["text/plain", `<html><script>${POST}</script>`],
    ["application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><script>${POST}</script></html>`],
  ])("a file of %s runs nothing in a frame, an object or an image", async (contentType, text) => {
    const fileId = await storeFile(workspace, { contentType }, Buffer.from(text));
    const url = await readFileUrl(workspace, await addCommentWith(workspace, [{ fileId }]));
    const page = await openSourcePage(["client/src/index.ts"], "<p></p>");
    let downloads = 0;
    page.on("download", () => downloads++);
    await page.evaluate(`
      window.loaded = 0;
      addEventListener("message", () => { window.hasRun = true; });
      for (const [name, attribute] of [["iframe", "src"], ["object", "data"], ["embed", "src"], ["img", "src"]]) {
        const element = document.createElement(name);
        element.onload = element.onerror = () => { window.loaded++; };
        element[attribute] = ${JSON.stringify(url)};
        document.body.append(element);
      }`);
    await expect.poll(async () => downloads + (await page.evaluate<number>("window.loaded"))).toBeGreaterThanOrEqual(4);
    expect(await page.evaluate("window.hasRun")).toBe(undefined);
  });
});
