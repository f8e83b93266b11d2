import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider";
import { createDecoder, readVarString, readVarUint } from "lib0/decoding";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import * as Y from "yjs";
import { COLLABORATIVE_DOCUMENT } from "./crdt.ts";
import { eventually } from "./eventually.ts";

/** A web page that has a collaborative document open. */
export interface SyncedPage {
  document: Y.Doc;
  provider: HocuspocusProvider;
  /** Why the service rejected or closed the connection, in order. */
  reasons: string[];
  /** Messages that the page has sent, in order. */
  sent: Uint8Array[];
  /** Waits until everything that the page has written is reported as saved. */
  saved(): Promise<void>;
}

/** Names of messages by their type and, within it, their kind. */
const MESSAGE_NAMES = new Map([
  [0, ["step 1", "step 2", "update"]],
  [2, ["token"]],
]);

interface PageOptions {
  token: string | (() => Promise<string>);
  /** API key in the URL of the socket, if the token is of the workspace's token issuer. */
  apiKey?: string;
  name?: string;
  origin?: string;
  document?: Y.Doc;
  /** Class of the provider, by default the one of Hocuspocus. */
  Provider?: typeof HocuspocusProvider;
}

/** Returns the name of a collaborative document for providers. */
export function documentName({
  organizationId,
  documentId,
  editorId,
}: typeof COLLABORATIVE_DOCUMENT = COLLABORATIVE_DOCUMENT): string {
  return [organizationId, documentId, editorId].map(encodeURIComponent).join("/");
}

/** Opens a collaborative document by a real provider. It ends with the test. */
export function openPage(
  address: string,
  { token, apiKey, name = documentName(), origin, document = new Y.Doc(), Provider = HocuspocusProvider }: PageOptions,
): SyncedPage {
  class PageWebSocket extends WebSocket {
    constructor(url: string) {
      super(url, origin === undefined ? {} : { origin });
      // The provider ignores the error of a socket that it closes while it connects.
      this.on("error", () => {});
    }

    override send(message: Uint8Array): void {
      sent.push(message);
      super.send(message);
    }
  }
  const reasons: string[] = [];
  const sent: Uint8Array[] = [];
  const websocketProvider = new HocuspocusProviderWebsocket({
    url: `${address.replace("http", "ws")}/v2/crdt/sync${apiKey === undefined ? "" : `?apiKey=${apiKey}`}`,
    WebSocketPolyfill: PageWebSocket,
    delay: 50,
    minDelay: 50,
    maxDelay: 200,
  });
  const provider = new Provider({
    websocketProvider,
    name,
    token,
    document,
    onAuthenticationFailed: ({ reason }) => void reasons.push(reason),
    onClose: ({ event }) => void reasons.push(event.reason),
  });
  provider.attach();
  onTestFinished(() => {
    provider.destroy();
    websocketProvider.destroy();
  });
  return {
    document,
    provider,
    ...{ reasons, sent },
    saved: () =>
      eventually(() => {
        if (provider.hasUnsyncedChanges || !provider.synced) throw new Error("The page has unsaved changes.");
      }),
  };
}

/** Opens a collaborative document and waits until the page has its content. */
export async function openSyncedPage(address: string, options: PageOptions): Promise<SyncedPage> {
  const page = openPage(address, options);
  await eventually(() => {
    if (!page.provider.synced) throw new Error(`The page is not synced: ${page.reasons.join(", ")}`);
  });
  return page;
}

/** Returns what the messages of a page were, apart from cursors. */
export function getKinds(messages: Uint8Array[]): string[] {
  return messages.flatMap((message) => {
    const decoder = createDecoder(message);
    readVarString(decoder);
    return MESSAGE_NAMES.get(readVarUint(decoder))?.[readVarUint(decoder)] ?? [];
  });
}

/** Returns the text of the page's copy of a collaborative document. */
export function getText({ document }: SyncedPage): string {
  return document.getText("content").toString();
}

/** Types into the text of a collaborative document, at its end if no index is given. */
export function type(page: SyncedPage, text: string, index = getText(page).length): void {
  page.document.getText("content").insert(index, text);
}

/** Waits until the page was rejected or closed. Returns why. */
export async function getRejection({ reasons }: SyncedPage): Promise<string | undefined> {
  return eventually(() => {
    if (reasons.length === 0) throw new Error("The page was not rejected.");
    return reasons[0];
  });
}

/** Closes the socket of a page, and waits until it is closed. */
export async function disconnect({ provider }: SyncedPage): Promise<void> {
  const { websocketProvider } = provider.configuration;
  websocketProvider.disconnect();
  await eventually(() => {
    if (websocketProvider.status !== "disconnected") throw new Error("The socket is not closed yet.");
  });
}
