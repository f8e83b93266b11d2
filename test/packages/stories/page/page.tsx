import { createClient } from "@colloquy/client";
import {
  ActivityFeed,
  Avatars,
  ColloquyProvider,
  Cursors,
  Inbox,
  InboxButton,
  Pins,
  Preferences,
  TextsProvider,
  Threads,
  Versions,
} from "@colloquy/react";
import { arabic } from "@colloquy/react/texts/ar";
import { german } from "@colloquy/react/texts/de";
import { english } from "@colloquy/react/texts/en";
import type { ReactElement } from "react";
import { createRoot } from "react-dom/client";
import { EDITOR_ID, ORGANIZATION_ID, USERS } from "../users.ts";
import { CLIENT, searchUsers, THREADS_AND_COMPOSERS } from "./states.tsx";

const DOCUMENT_NAMES = new Map([
  ["launch-plan", "Launch plan"],
  ["pricing", "Pricing page"],
  ["brand", "Brand guide"],
]);

const getDocumentName = (documentId: string) => DOCUMENT_NAMES.get(documentId);

/** What the address says: `?story=long-names&language=ar`, and for stories with a service its URL and a user. */
const { story = "", language = "en", url, ...user } = Object.fromEntries(new URLSearchParams(location.search));
const { userId = "ada", token = "", documentId = "" } = user;

/** Components by the names of their stories. */
const STORIES: Record<string, () => ReactElement> = {
  ...THREADS_AND_COMPOSERS,
  avatars: () => <Avatars documentId={documentId} max={4} />,
  feed: () => <ActivityFeed documentId={documentId} onOpen={() => {}} />,
  inbox: () => <Inbox getLink={({ id }) => `#${id}`} onOpen={() => {}} getDocumentName={getDocumentName} />,
  cursors: () => (
    <Cursors documentId={documentId}>
      <Board />
    </Cursors>
  ),
  pins: () => (
    <Pins documentId={documentId === "empty" ? documentId : "brand"} selector="#board" showResolved>
      <Board />
    </Pins>
  ),
  preferences: () => <Preferences documentId={documentId} getDocumentName={getDocumentName} />,
  threads: () => <Threads documentId={documentId} initialView={{ status: "all" }} />,
  versions: () => <Versions documentId={documentId} editorId={EDITOR_ID} />,
  "inbox-button": () => <InboxButton onOpen={() => {}} getDocumentName={getDocumentName} />,
};

/** A picture of two logos. */
function Board(): ReactElement {
  return (
    <svg id="board" viewBox="0 0 388 240" role="img" aria-label="Logos" style={{ display: "block", width: "100%" }}>
      <rect width="388" height="240" rx="10" fill="#eef0f6" />
      <rect x="24" y="24" width="160" height="192" rx="8" fill="#ffffff" />
      <rect x="204" y="24" width="160" height="192" rx="8" fill="#1f2438" />
      <path d="M64 150 V90 l40 40 40-40 v60" fill="none" stroke="#4c3a9e" strokeWidth="14" />
      <path d="M244 150 V90 l40 40 40-40 v60" fill="none" stroke="#b3a6f8" strokeWidth="14" />
      <rect x="72" y="176" width="64" height="8" rx="4" fill="#cdd2e1" />
      <rect x="252" y="176" width="64" height="8" rx="4" fill="#515a7d" />
    </svg>
  );
}

const texts = { de: german, ar: arabic }[language] ?? english;
const session = url
  ? {
      client: createClient({ url, getUserToken: () => token }),
      resolveUsers: (ids: string[]) => USERS.filter((each) => ids.includes(each.userId)),
    }
  : { client: CLIENT, searchUsers };
document.documentElement.lang = texts.language;
document.documentElement.dir = texts.direction;
createRoot(document.body.appendChild(document.createElement("main"))).render(
  <ColloquyProvider {...session} organizationId={ORGANIZATION_ID} userId={userId}>
    <TextsProvider texts={texts}>
      <h1 className="colloquy-hidden">Components</h1>
      {STORIES[story]?.() ?? <p>{Object.keys(STORIES).join(" ")}</p>}
    </TextsProvider>
  </ColloquyProvider>,
);
