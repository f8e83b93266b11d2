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
} from "@colloquy/react";
import { arabic } from "@colloquy/react/texts/ar";
import { german } from "@colloquy/react/texts/de";
import { english } from "@colloquy/react/texts/en";
import type { ReactElement } from "react";
import { createRoot } from "react-dom/client";

/** What a story is shown with. */
export interface StoryOptions {
  /** Users whom the product knows. */
  users: { userId: string; name: string; photoUrl?: string }[];
  story: string;
  url: string;
  userId: string;
  token: string;
  organizationId: string;
  documentId: string;
  language: "en" | "de" | "ar";
}

const DOCUMENT_NAMES = new Map([
  ["launch-plan", "Launch plan"],
  ["pricing", "Pricing page"],
  ["brand", "Brand guide"],
]);

const getDocumentName = (documentId: string) => DOCUMENT_NAMES.get(documentId);

/** Components with typical props, by the names of their stories. */
const STORIES: Record<string, (options: StoryOptions) => ReactElement> = {
  avatars: ({ documentId }) => <Avatars documentId={documentId} max={4} />,
  feed: ({ documentId }) => <ActivityFeed documentId={documentId} onOpen={() => {}} />,
  inbox: () => <Inbox getLink={({ id }) => `#${id}`} onOpen={() => {}} getDocumentName={getDocumentName} />,
  cursors: ({ documentId }) => (
    <Cursors documentId={documentId}>
      <Board />
    </Cursors>
  ),
  pins: ({ documentId }) => (
    <Pins documentId={documentId === "empty" ? documentId : "brand"} selector="#board" showResolved>
      <Board />
    </Pins>
  ),
  preferences: ({ documentId }) => <Preferences documentId={documentId} getDocumentName={getDocumentName} />,
  threads: ({ documentId }) => <Threads documentId={documentId} initialView={{ status: "all" }} />,
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

const LANGUAGES = { en: english, de: german, ar: arabic };

/** Shows a story in the element with the ID `root`. */
export function show(options: StoryOptions): void {
  const { story, url, userId, token, organizationId, language, users } = options;
  const texts = LANGUAGES[language];
  const client = createClient({ url, getUserToken: () => token });
  const element = document.getElementById("root");
  const Story = STORIES[story];
  if (!element || !Story) throw new Error(`There is no story ${story}.`);
  document.documentElement.lang = texts.language;
  document.documentElement.dir = texts.direction;
  createRoot(element).render(
    <ColloquyProvider
      {...{ client, organizationId, userId }}
      resolveUsers={(ids) => users.filter((user) => ids.includes(user.userId))}
    >
      <TextsProvider texts={texts}>
        <h1 className="story-title">{story}</h1>
        <Story {...options} />
      </TextsProvider>
    </ColloquyProvider>,
  );
}
