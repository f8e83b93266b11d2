import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import {
  ACTIVITY_KINDS as SHARED_ACTIVITY_KINDS,
  INBOX_KINDS as SHARED_KINDS,
} from "../../packages/client/src/tab-selection.ts";
import { ACTIVITY_KINDS, INBOX_KINDS } from "../../src/features/event-log/event.ts";
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { workspaceWithDocument } from "../events.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { readPresence } from "../presence.ts";
import { longTest } from "../sizes.ts";
import { getEditor, tokenFor } from "../user-tokens.ts";
import { servePage } from "./packed.ts";
import { bundleSource } from "./source-script.ts";

const service = await startTestService();
const { organizationId } = SCOPE;
const DOCUMENTS = Array.from({ length: 8 }, (_, index) => `document-${index}`);

/** A page that follows events, and keeps what it has received. */
const SCRIPT = `
import { createClient } from "@colloquy/client";
export async function follow({ url, ...filter }) {
  const client = createClient({ url, getUserToken: () => window.getToken() });
  Object.assign(window, { client, received: [], presence: [], statuses: [], aborting: new AbortController() });
  const options = {
    onStatus: (status) => window.statuses.push(status),
    ...(filter.presence && { onPresenceData: (data) => window.presence.push(data) }),
  };
  delete filter.presence;
  try {
    for await (const event of client.events({ ...filter, ...options, signal: aborting.signal })) {
      window.received.push(event.subject?.id ?? event.event);
    }
  } catch (error) {
    window.failed = error.reason ?? error.status ?? String(error);
  }
}`;

interface Tab {
  page: Page;
  received(): Promise<string[]>;
}

/** Opens tabs of one browser that share an origin. Tabs have a token of `ada` unless they name another user. */
class Tabs {
  readonly workspace: TestWorkspace;
  readonly #context: BrowserContext;
  readonly #url: string;
  /** The page of each stream that was opened. */
  readonly streams: Page[] = [];

  constructor(workspace: TestWorkspace, context: BrowserContext, url: string) {
    this.workspace = workspace;
    this.#context = context;
    this.#url = url;
    context.on("request", (request) => {
      if (request.url().includes("/v2/events/stream") && request.method() === "GET") {
        this.streams.push(request.frame().page());
      }
    });
  }

  /** Opens a tab that follows, once it has its stream. */
  async open(filter: object, { userId = "ada", prepare = "", isOpen = true, resources = [getEditor("acme")] } = {}) {
    const page = await this.#context.newPage();
    await page.exposeFunction("getToken", () => tokenFor(this.workspace, userId, { resources }));
    await page.addInitScript(prepare);
    await page.goto(this.#url);
    const options = JSON.stringify({ url: service.address, organizationId, ...filter });
    await page.evaluate(`import("/script.js").then(({ follow }) => { void follow(${options}); })`);
    if (isOpen) await this.#untilOpen(page);
    return { page, received: () => page.evaluate<string[]>("window.received") };
  }

  async #untilOpen(page: Page): Promise<void> {
    await expect.poll(() => page.evaluate("window.statuses.at(-1)"), { timeout: 20_000 }).toBe("open");
  }
}

function add(workspace: TestWorkspace, documentId: string, ...ids: string[]): Promise<unknown> {
  return addActivities(workspace, ids, { documentId });
}

/** Waits until a tab has received these activities, each once and in this order. */
function receives({ received }: Tab, ids: string[]): Promise<void> {
  const poll = expect.poll(async () => (await received()).filter((id) => /^\w+$/.test(id)), { timeout: 20_000 });
  return poll.toEqual(ids);
}

test("the events that an inbox and activities get from a shared stream are those of the service", () => {
  expect([SHARED_KINDS, SHARED_ACTIVITY_KINDS]).toEqual([INBOX_KINDS, ACTIVITY_KINDS]);
});

describeInBrowser("tabs of one origin", async () => {
  async function open(): Promise<Tabs> {
    const workspace = await workspaceWithDocument(service);
    await workspace.data("/v2/workspace/domains/add", { domains: ["localhost"] });
    const documents = DOCUMENTS.map((documentId) => ({ documentId }));
    await workspace.data("/v2/organizations/documents/add", { organizationId, documents });
    const context = (await newPage()).context();
    onTestFinished(() => context.close());
    return new Tabs(workspace, context, servePage(await bundleSource(SCRIPT)));
  }

  test("eight tabs with other documents share one stream over HTTP/1.1, and call too", async () => {
    const tabs = await open();
    const opened: Tab[] = [];
    for (const documentId of DOCUMENTS) opened.push(await tabs.open({ documentId }));
    for (const documentId of DOCUMENTS) await add(tabs.workspace, documentId, documentId.replace("-", "_"));
    for (const [index, tab] of opened.entries()) await receives(tab, [`document_${index}`]);
    const version = 'window.client.call("/v2/version", {}).then(({ data }) => typeof data.version)';
    expect(await opened.at(-1)?.page.evaluate(version)).toBe("string");
    const statuses = await Promise.all(
      DOCUMENTS.map(async (documentId) => (await readPresence(tabs.workspace, { documentId }))[0]?.status),
    );
    expect(statuses).toEqual(DOCUMENTS.map(() => "online"));
    expect(new Set(tabs.streams).size).toBe(1);
  });

  test("no event is lost and none comes twice while one leader after the other is closed", async () => {
    const tabs = await open();
    const opened: Tab[] = [];
    for (let index = 0; index < 4; index += 1) opened.push(await tabs.open({ documentIds: DOCUMENTS.slice(0, 2) }));
    const ids: string[] = [];
    let isOver = false;
    const adding = (async () => {
      while (!isOver) {
        ids.push(`a${ids.length}`);
        await add(tabs.workspace, DOCUMENTS[ids.length % 2] ?? "", ids.at(-1) ?? "");
      }
    })();
    for (const { page } of opened.slice(0, 3)) {
      const before = ids.length;
      await expect.poll(() => ids.length, { timeout: 20_000 }).toBeGreaterThan(before + 5);
      await page.close();
    }
    const last = opened.at(-1);
    const before = ids.length;
    await expect.poll(() => ids.length, { timeout: 20_000 }).toBeGreaterThan(before + 5);
    isOver = true;
    await adding;
    if (last) await receives(last, ids);
  });

  test("a tab of another user, and one whose token grants other access, has a stream of its own", async () => {
    const tabs = await open();
    const filter = { documentId: DOCUMENTS[0], inbox: true };
    const ada = await tabs.open(filter);
    const grace = await tabs.open(filter, { userId: "grace" });
    const resources = [{ ...getEditor("acme"), accessRole: "viewer" as const }];
    await tabs.open(filter, { resources: resources as never });
    for (const userId of ["ada", "grace"]) {
      await addNotification(tabs.workspace, `for_${userId}`, { notifyUsers: [{ userId }] });
    }
    await receives(ada, ["for_ada"]);
    await receives(grace, ["for_grace"]);
    expect(new Set(tabs.streams).size).toBe(3);
  });

  test("a tab in which another user signs in leaves the stream, and one without a user ends", async () => {
    const tabs = await open();
    const filter = { documentId: DOCUMENTS[0], inbox: true };
    const opened = [await tabs.open(filter), await tabs.open(filter), await tabs.open(filter), await tabs.open(filter)];
    const [leader, follower, signedOut, last] = opened as [Tab, Tab, Tab, Tab];
    const sign = async ({ page }: Tab, token: string | undefined) => {
      await page.evaluate(`window.getToken = () => ${JSON.stringify(token)}`);
      await page.evaluate("client.userToken().then((token) => client.userToken(token)).catch(() => {})");
    };
    await sign(leader, await tokenFor(tabs.workspace, "grace"));
    await sign(follower, await tokenFor(tabs.workspace, "linus"));
    await sign(signedOut, undefined);
    const further = await tabs.open({ documentId: DOCUMENTS[1], inbox: true });
    await expect.poll(() => signedOut.page.evaluate("window.failed")).toBe("UNAUTHENTICATED");
    for (const userId of ["ada", "grace", "linus"]) {
      await addNotification(tabs.workspace, `for_${userId}`, { notifyUsers: [{ userId }] });
    }
    await receives(last, ["for_ada"]);
    await receives(further, ["for_ada"]);
    await receives(leader, ["for_grace"]);
    await receives(follower, ["for_linus"]);
  });

  test("a document that is rejected ends only the tab that follows it", async () => {
    const tabs = await open();
    const first = await tabs.open({ documentId: DOCUMENTS[0] });
    const change = { organizationId, documentIds: ["document-1"], accessType: "restricted" as const };
    await tabs.workspace.data("/v2/organizations/documents/access/update", change);
    const rejected = await tabs.open({ documentId: DOCUMENTS[1] }, { isOpen: false });
    await expect.poll(() => rejected.page.evaluate("window.failed")).toBe("access_denied");
    const third = await tabs.open({ documentId: DOCUMENTS[2] });
    for (const index of [0, 2]) await add(tabs.workspace, DOCUMENTS[index] ?? "", `a${index}`);
    await receives(first, ["a0"]);
    await receives(third, ["a2"]);
  });

  test("a leader that is frozen or hidden hands the stream over, and misses nothing when it is back", async () => {
    const tabs = await open();
    const [documentId = ""] = DOCUMENTS;
    const [first, second] = [await tabs.open({ documentId }), await tabs.open({ documentId })];
    const frozen = (type: "freeze" | "resume") => first.page.evaluate(`document.dispatchEvent(new Event("${type}"))`);
    const hidden = (type: "pagehide" | "pageshow") =>
      second.page.evaluate(`dispatchEvent(new PageTransitionEvent("${type}", { persisted: true }))`);
    await frozen("freeze");
    await expect.poll(() => tabs.streams.at(-1)).toBe(second.page);
    await add(tabs.workspace, documentId, "a0");
    await receives(second, ["a0"]);
    expect(await first.received()).not.toContain("a0");
    await frozen("resume");
    await receives(first, ["a0"]);
    await hidden("pagehide");
    await expect.poll(() => tabs.streams.at(-1)).toBe(first.page);
    await add(tabs.workspace, documentId, "a1");
    await receives(first, ["a0", "a1"]);
    expect(await second.received()).not.toContain("a1");
    await hidden("pageshow");
    await receives(second, ["a0", "a1"]);
  });

  test("a tab begins after its cursor, whatever the stream has sent before", async () => {
    const tabs = await open();
    const [documentId = ""] = DOCUMENTS;
    const { data } = { data: await tabs.workspace.data("/v2/events/get", { organizationId }) };
    const first = await tabs.open({ documentId });
    await add(tabs.workspace, documentId, "a0");
    await receives(first, ["a0"]);
    const second = await tabs.open({ documentId, cursor: data.cursor });
    await receives(second, ["a0"]);
    await add(tabs.workspace, documentId, "a1");
    for (const tab of [first, second]) await receives(tab, ["a0", "a1"]);
  });

  test("every tab gets what pages share about their users", async () => {
    const tabs = await open();
    const [documentId = ""] = DOCUMENTS;
    const share = { organizationId, documentId, userId: "grace", connectionId: "g", data: { x: 1 } };
    await tabs.workspace.data("/v2/presence/broadcast", share);
    const opened = [await tabs.open({ documentId, presence: true }), await tabs.open({ documentId, presence: true })];
    await tabs.workspace.data("/v2/presence/broadcast", { ...share, data: { x: 2 } });
    for (const { page } of opened) {
      const presence = () => page.evaluate<{ connections: { data: unknown }[] }[]>("window.presence");
      await expect
        .poll(async () => (await presence())[0])
        .toMatchObject({ isComplete: true, connections: [{ data: {} }] });
      await expect.poll(async () => (await presence()).at(-1)).toMatchObject({ connections: [{ data: { x: 2 } }] });
    }
  });

  test.each([
    ["Web Locks", "delete Navigator.prototype.locks"],
    ["BroadcastChannel", "delete window.BroadcastChannel"],
    ["permission for locks", "navigator.locks.request = async () => { throw new DOMException('', 'SecurityError'); }"],
  ])("without %s, each tab has a stream of its own", async (_, prepare) => {
    const tabs = await open();
    const [documentId = ""] = DOCUMENTS;
    const opened = [await tabs.open({ documentId }, { prepare }), await tabs.open({ documentId }, { prepare })];
    await add(tabs.workspace, documentId, "a0");
    for (const tab of opened) await receives(tab, ["a0"]);
    expect(tabs.streams).toHaveLength(2);
  });

  longTest("a leader that hangs loses the lead", async () => {
    const tabs = await open();
    const [documentId = ""] = DOCUMENTS;
    const first = await tabs.open({ documentId });
    void first.page.evaluate("{ const end = Date.now() + 20_000; while (Date.now() < end); }");
    const second = await tabs.open({ documentId });
    await add(tabs.workspace, documentId, "a0");
    for (const tab of [second, first]) await receives(tab, ["a0"]);
  });
});
