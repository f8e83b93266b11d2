import type { EmojiData } from "frimousse";

/** An emoji in the data of Emojibase, of which the package contains these fields. */
interface EmojibaseEmoji {
  emoji: string;
  label: string;
  tags?: string[] | undefined;
  /** Place of the category. Parts of emojis have none. */
  group?: number | undefined;
  /** Version of the emoji standard. */
  version: number;
}

interface EmojibaseMessages {
  groups: { message: string; order: number }[];
}

type Modules = Promise<[{ default: EmojibaseEmoji[] }, { default: EmojibaseMessages }]>;

/** Newest version whose emojis the systems of most users can show. */
const VERSION = 15.1;
/** Category of skin tones and hair. */
const COMPONENTS = 2;

/** Loads the names of emojis in a language, each from a script of its own. */
const LANGUAGES: Readonly<Record<string, () => Modules>> = {
  de: () => Promise.all([import("emojibase-data/de/data.json"), import("emojibase-data/de/messages.json")]),
  en: () => Promise.all([import("emojibase-data/en/data.json"), import("emojibase-data/en/messages.json")]),
  es: () => Promise.all([import("emojibase-data/es/data.json"), import("emojibase-data/es/messages.json")]),
  fr: () => Promise.all([import("emojibase-data/fr/data.json"), import("emojibase-data/fr/messages.json")]),
  ja: () => Promise.all([import("emojibase-data/ja/data.json"), import("emojibase-data/ja/messages.json")]),
};

/** Returns the emojis with their names in a language, in English if there are none. */
export async function loadEmojis(locale: string): Promise<EmojiData> {
  const load = LANGUAGES[locale.split("-")[0] ?? ""] ?? LANGUAGES.en;
  if (!load) throw new Error("The package has no English emojis.");
  const [{ default: emojis }, { default: messages }] = await load();
  const shown = emojis.filter(
    ({ group, version }) => group !== undefined && group !== COMPONENTS && version <= VERSION,
  );
  return {
    locale,
    emojis: shown.map(({ emoji, label, tags = [], group = 0, version }) => {
      return { emoji, label, tags, category: group, version };
    }),
    categories: messages.groups
      .filter(({ order }) => order !== COMPONENTS)
      .map(({ order, message }) => ({ index: order, label: message })),
    skinTones: { light: "", "medium-light": "", medium: "", "medium-dark": "", dark: "" },
  };
}
