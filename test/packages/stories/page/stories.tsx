import { createClient } from "@colloquy/client";
import { ActivityFeed, Avatars, ColloquyProvider, Inbox, InboxButton, TextsProvider } from "@colloquy/react";
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
  "inbox-button": () => <InboxButton onOpen={() => {}} getDocumentName={getDocumentName} />,
};

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
