import { readFileSync } from "node:fs";
import type { Locator, Page, Route } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { newPage } from "../console/browser.ts";
import { SCOPE } from "../factories.ts";
import type { TestWorkspace } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";
import { installPacked, servePage } from "./packed.ts";
import { bundleSource } from "./source-script.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
/** Response of a service that failed, as a route of the browser gives it. */
export const FAILED = {
  status: 500,
  headers: { "access-control-allow-origin": "*" },
  json: { error: { status: "INTERNAL", message: "It fails.", details: { reason: "internal_error" } } },
};

/** Lets the next call of an operation be carried out, and its response be lost. */
export async function loseResponse(page: Page, path: string): Promise<void> {
  const lose = async (route: Route) => {
    expect((await route.fetch()).status()).toBe(200);
    await route.fulfill(FAILED);
  };
  await page.route(`**${path}`, lose, { times: 1 });
}

/** A web page of users side by side, each with all components, with documents or with lists. */
const PAGE = `
import { createClient } from "@colloquy/client";
import {
  ActivityFeed, Avatars, ColloquyProvider, Inbox, TextsProvider, Thread, useActivities, useInbox, useMyPresence,
  useOthers, useThreads, useUnreadThreads,
} from "@colloquy/react";
import { useDocument } from "@colloquy/react/document";
import { Activity, createElement as h, StrictMode, useEffect, useReducer, useState } from "react";
import { createRoot } from "react-dom/client";

function Threads({ documentId }) {
  const threads = useThreads({ documentId });
  return h("div", null,
    h("button", { type: "button", onClick: () => threads.add("When is it due?") }, "Ask"),
    threads.data.map((thread) => h(Thread, { key: thread.annotationId, thread, threads, reactions: ["👍"] })));
}

function Editor({ documentId, editorId }) {
  const { provider, document, awareness, status, retry, ...state } = useDocument({ documentId, editorId });
  const { isSynced, isSaved, isReadOnly, error } = state;
  if (provider && !provider.configuration.name.endsWith(editorId)) console.error("This is another document.");
  if (document?.isDestroyed) console.error("This document is closed.");
  const [, render] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    document?.on("update", render);
    awareness?.on("change", render);
    awareness?.setLocalStateField("user", { name: "Somebody" });
  }, [document, awareness]);
  const words = [status, isSynced && "synced", isSaved && "saved", isReadOnly && "read only", error?.reason];
  return h("div", null,
    h("p", null, document?.getText("content").toString()),
    h("p", null, awareness?.getStates().size + " here"),
    h("p", null, words.filter(Boolean).join(", ")),
    h("button", { type: "button", onClick: () => document.getText("content").insert(0, "not ") }, "Negate"),
    h("button", { type: "button", onClick: retry }, "Retry"));
}

function Editors({ documentId }) {
  const [editorId, open] = useState();
  const ids = ["clause-1", "missing"];
  return h(StrictMode, null,
    ids.map((id) => h("button", { key: id, type: "button", onClick: () => open(id) }, "Open " + id)),
    h("button", { type: "button", onClick: () => open(undefined) }, "Close"),
    editorId && h(Editor, { documentId, editorId }));
}

/** Hides and shows a document, which stays mounted, and removes and mounts it. */
function Hideable({ documentId }) {
  const [mode, setMode] = useState("visible");
  const [isMounted, mount] = useState(true);
  return h("div", null,
    ["visible", "hidden"].map((each) => h("button", { key: each, type: "button", onClick: () => setMode(each) }, each)),
    h("button", { type: "button", onClick: () => mount(!isMounted) }, isMounted ? "Unmount" : "Mount"),
    isMounted && h(Activity, { mode }, h(Editor, { documentId, editorId: "clause-1" })));
}

/** Opens a document, and opens it again at once whenever it is closed because of an error. */
function Retrying({ documentId }) {
  const { isSaved, error, retry } = useDocument({ documentId, editorId: "missing" });
  useEffect(() => {
    if (error) retry();
    if (error) window.errorCount = (window.errorCount ?? 0) + 1;
  }, [error]);
  return h("p", null, isSaved ? "Saved" : "Not saved");
}

function Lists({ documentId }) {
  const [shown, show] = useState(documentId);
  const { data, hasMore, loadMore } = useActivities({ documentId: shown });
  const { unreadCount } = useInbox();
  if (data.some(({ metadata }) => metadata.documentId !== shown)) console.error("These are of another document.");
  return h("div", null,
    h("p", null, unreadCount + " in the inbox"),
    h("p", null, data.map(({ id }) => id).join(" ")),
    hasMore && h("button", { type: "button", onClick: loadMore }, "Load more"),
    h("button", { type: "button", onClick: () => show("contract-8") }, "Open another"));
}

/** Shows the cursors of the others, and shares one that moves 60 times at once. */
function Cursors({ documentId }) {
  const others = useOthers({ documentId });
  const [isSharing, share] = useState(true);
  return h("div", null,
    others.data.map(({ connectionId, name, data }) => h("p", { key: connectionId }, name + " " + JSON.stringify(data))),
    h("p", null, others.isLive ? others.data.length + " others" : "Loading"),
    h("button", { type: "button", onClick: () => share(!isSharing) }, isSharing ? "Leave" : "Enter"),
    isSharing && h(Cursor, { documentId }));
}

function Cursor({ documentId }) {
  const [{ color, x }, update] = useMyPresence({ documentId });
  useEffect(() => update({ color: "red" }), [update]);
  function move() {
    for (let x = 1; x <= 60; x += 1) update({ x });
  }
  return [
    h("p", { key: "own" }, "Own: " + color + " " + x),
    h("button", { key: "move", type: "button", onClick: move }, "Move"),
  ];
}

/** Shows the place, the ID and the time of each thread. */
function Places({ documentId }) {
  return useThreads({ documentId }).data.map(({ annotationId, annotationIndex, lastUpdated }) =>
    h("p", { key: annotationId }, [annotationIndex, annotationId, lastUpdated].join(" ")));
}

/** Shows how many effects have run that depend on the functions of the hooks. */
function Effects({ documentId }) {
  const [inbox, threads] = [useInbox(), useThreads({ documentId })];
  const [count, setCount] = useState(0);
  const values = [inbox, threads].flatMap((state) => Object.values(state));
  const functions = values.filter((value) => typeof value === "function");
  useEffect(() => setCount((before) => before + 1), functions);
  return h("p", null, functions.length, " functions, ", inbox.unreadCount, " unread, ", count, " effects");
}

function Inboxes({ documentId }) {
  return [h(Lists, { key: "bell", documentId }), h(Inbox, { key: "inbox" })];
}

/** Shows the IDs in the inbox, in the archive and in both, and moves the one that is named "first". */
function Boxes() {
  const boxes = ["exclude", "only", "include"].map((archived) => ({ archived, ...useInbox({ archived }) }));
  return [
    ...boxes.map(({ archived, data, unreadCount }) =>
      h("p", { key: archived }, [archived, ...data.map(({ id }) => id), unreadCount, "unread"].join(" "))),
    ...["archive", "restore", "remove"].map((name) =>
      h("button", { key: name, type: "button", onClick: () => boxes[0][name](["first"]) }, name)),
  ];
}

function Organization() {
  return h("p", null, ["activities", ...useActivities().data.map(({ id }) => id)].join(" "));
}

function Unread({ documentId }) {
  return h("p", null, useUnreadThreads({ documentId }).data + " unread threads");
}

/** Shows open threads, and components with all props and other texts. */
function Customized({ documentId }) {
  const threads = useThreads({ documentId, statusIds: ["OPEN"] });
  const [selected, select] = useState("nothing");
  async function ask() {
    select(await threads.add("When is it due?", { location: { id: "page-2" } }));
  }
  async function react() {
    const [{ annotationId, comments: [{ commentId }] }] = threads.data;
    await threads.react(annotationId, commentId, "thumbs up");
  }
  const shown = threads.data.map(({ annotationId, location, comments, ...thread }) => [
    h("p", { key: "summary" }, [location?.id, ...comments[0].reactions.map(({ reaction }) => reaction)].join(" ")),
    h(Thread, { key: annotationId, thread: { annotationId, comments, ...thread }, threads, isReadOnly: true }),
  ]);
  const outer = { messages: { "activity.comment_annotation.resolve": "{{user}} hat eine Diskussion abgeschlossen" } };
  const texts = {
    ...{ activity: "Aktivit\u00e4t", unread: (count) => count + " ungelesen", time: () => "heute" },
    messages: { "notification.comment_annotation.resolve": "{actionUser} hat #{number} als {status} markiert" },
  };
  const onOpen = ({ id }, event) => {
    event.preventDefault();
    select(id);
  };
  return h(TextsProvider, { texts: outer }, h(TextsProvider, { texts },
    h(Avatars, { documentId, max: 1, className: "people" }),
    h(Inbox, { getLink: ({ id }) => "/elsewhere?" + id, onOpen }),
    h(ActivityFeed, { documentId, onOpen }),
    h("p", null, "Selected " + selected),
    h("button", { type: "button", onClick: ask }, "Ask"),
    h("button", { type: "button", onClick: react }, "React"),
    h("button", { type: "button", onClick: () => threads.markRead() }, "Read"),
    h("button", { type: "button", onClick: () => threads.resolve(selected) }, "Settle"),
    shown));
}

function All({ documentId }) {
  return [Avatars, Inbox, Threads, ActivityFeed].map((component, key) => h(component, { key, documentId }));
}

const VIEWS = {
  ...{ all: All, editors: Editors, lists: Lists, effects: Effects },
  ...{ boxes: Boxes, cursors: Cursors, inboxes: Inboxes, retrying: Retrying },
  ...{ customized: Customized, places: Places, hideable: Hideable },
  ...{ organization: Organization, unread: Unread },
};

function User({ url, userId, token, organizationId, documentId, view = "all" }) {
  const client = createClient({ url, getUserToken: () => token ?? window.getToken(userId) });
  return h("section", { "aria-label": userId }, h("h2", null, userId),
    h(ColloquyProvider, { client, organizationId, userId }, h(VIEWS[view], { documentId })));
}

export function start(users) {
  const title = h("h1", { key: "title" }, "Contract 7");
  const shown = users.map((user) => h(User, { key: user.userId, ...user }));
  createRoot(document.getElementById("root")).render([title, ...shown]);
}
`;

type InboxView = "boxes" | "inboxes" | "organization" | "unread";
type View = InboxView | "cursors" | "editors" | "lists" | "effects" | "retrying" | "customized" | "places" | "hideable";

/**
 * Opens a page with these users side by side. Those without a token ask for one by `getToken`. `prepare` gets the page
 * before it opens.
 */
export async function openPage(
  address: string,
  workspace: TestWorkspace,
  users: { userId: string; token?: string; view?: View }[],
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<{ page: Page; problems: string[]; getRegion: (userId: string) => Locator }> {
  // The workspace has the domain already if another page was opened before.
  await workspace.call("/v2/workspace/domains/add", { domains: ["localhost"] });
  const page = await newPage();
  onTestFinished(() => page.context().close());
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "info") problems.push(message.text());
  });
  await page.exposeFunction("getToken", (userId: string) => tokenFor(workspace, userId));
  await prepare(page);
  await page.goto(servePage(await bundleSource(PAGE)));
  const given = users.map((user) => ({ url: address, ...user, ...SCOPE }));
  await page.evaluate(`import("/script.js").then(({ start }) => start(${JSON.stringify(given)}))`);
  return { page, problems, getRegion: (userId) => page.getByRole("region", { name: userId }) };
}

let installed: Promise<string> | undefined;

/** Installs the packages and what they need in an empty project, once for a worker. Returns its folder. */
export function installReact(): Promise<string> {
  installed ??= installAnew();
  return installed;
}

function installAnew(): Promise<string> {
  const versions = { ...packageJson.dependencies, ...packageJson.devDependencies };
  const others = (["react", "react-dom", "@hocuspocus/provider", "yjs"] as const).map(
    (name) => `${name}@${versions[name]}`,
  );
  return installPacked(["client", "react"], others);
}

export function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === node.ownerDocument.activeElement);
}

/** Returns the `aria-label` of the element that has the focus, or its text. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.innerText");
}

/** Returns the names of the accessibility rules that the page violates. */
export async function accessibilityViolations(page: Page): Promise<unknown> {
  await page.evaluate(AXE);
  // Two users on one page have landmarks of the same name.
  const options = { rules: { "landmark-unique": { enabled: false } } };
  return page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id }) => id))`);
}
