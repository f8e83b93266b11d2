import type { Page, WebSocket, WebSocketRoute } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { addContent, readContent } from "../crdt.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { openSyncedPage } from "../sync.ts";
import { tokenFor } from "../user-tokens.ts";
import { openPage } from "./react-page.ts";

const service = await startTestService();
const REF = { organizationId: "acme", documentId: "contract-7", editorId: "clause-1" };
const NAME = "acme/contract-7/clause-1";

/** A network between a page and the service that can be away. */
class Network {
  #isAway = false;
  readonly #sockets = new Set<WebSocketRoute>();

  async install(page: Page): Promise<void> {
    await page.routeWebSocket(/crdt\/sync/, async (socket) => {
      if (this.#isAway) return socket.close({ code: 1001 });
      socket.connectToServer();
      this.#sockets.add(socket);
    });
  }

  async leave(): Promise<void> {
    this.#isAway = true;
    for (const socket of this.#sockets) await socket.close({ code: 1001 });
    this.#sockets.clear();
  }

  comeBack(): void {
    this.#isAway = false;
  }
}

describeInBrowser("a collaborative document of a component", () => {
  async function openHideable(prepare: (page: Page) => Promise<void> = async () => {}) {
    const workspace = await service.workspace();
    await addContent(workspace, { ...REF, type: "text", data: "final" });
    const users = [{ userId: "ada", view: "hideable" as const }];
    const opened = await openPage(service.address, workspace, users, prepare);
    const ada = opened.getRegion("ada");
    const press = (name: string) => ada.getByRole("button", { name, exact: true }).click();
    const shows = (text: string) => ada.getByText(text, { exact: true }).waitFor();
    await shows("connected, synced, saved");
    return { workspace, ...opened, press, shows };
  }

  /** Opens the document as another user. Returns a function that counts the users whom that one sees. */
  async function openOther(workspace: TestWorkspace): Promise<() => number> {
    const token = await tokenFor(workspace, "grace");
    const { provider } = await openSyncedPage(service.address, { token, name: NAME });
    return () => [...(provider.awareness?.getStates().values() ?? [])].filter(({ user }) => user).length;
  }

  test.each([
    { leave: "hidden", back: "visible" },
    { leave: "Unmount", back: "Mount" },
  ])("keeps what was typed while the network was away: $leave, then $back", async ({ leave, back }) => {
    const network = new Network();
    const { workspace, problems, press, shows } = await openHideable((page) => network.install(page));
    await network.leave();
    await press("Negate");
    await press(leave);
    await press(back);
    await shows("not final");
    await press(leave);
    network.comeBack();
    await expect.poll(async () => (await readContent(workspace, REF)).data, { timeout: 30_000 }).toBe("not final");
    await press(back);
    await shows("connected, synced, saved");
    await shows("not final");
    expect(problems.filter((problem) => !problem.includes("WebSocket"))).toEqual([]);
  });

  test("is left by its user and closed while it is hidden, once it is stored, and then opened again", async () => {
    const sockets: WebSocket[] = [];
    const { workspace, problems, press, shows } = await openHideable(async (page) => {
      page.on("websocket", (socket) => sockets.push(socket));
    });
    const count = await openOther(workspace);
    await expect.poll(count).toBe(1);
    await press("Negate");
    await press("hidden");
    await expect.poll(() => sockets.map((socket) => socket.isClosed())).toEqual([true]);
    expect((await readContent(workspace, REF)).data).toBe("not final");
    await expect.poll(count).toBe(0);
    await press("visible");
    await shows("connected, synced, saved");
    await shows("not final");
    await expect.poll(count).toBe(1);
    expect(problems).toEqual([]);
  });

  test("has its user again once the page comes back from the cache of the browser", async () => {
    const { workspace, page } = await openHideable();
    const count = await openOther(workspace);
    for (const [event, users] of [
      ["pageshow", 1],
      ["pagehide", 0],
      ["pageshow", 1],
    ] as const) {
      await page.evaluate(`dispatchEvent(new PageTransitionEvent("${event}", { persisted: true }))`);
      await expect.poll(count, { timeout: 8_000 }).toBe(users);
    }
  });
});
