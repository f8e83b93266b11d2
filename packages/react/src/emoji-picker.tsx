import { EmojiPicker as Picker } from "frimousse";
import type { AriaAttributes, ReactElement } from "react";
import { loadEmojis } from "./emoji-data.ts";
import { useTexts } from "./texts.tsx";

/** Shows all emojis with a field to search them. Arrow keys move in the list. */
export default function EmojiPicker({ select }: { select: (emoji: string) => void }): ReactElement {
  const texts = useTexts();
  return (
    <Picker.Root
      className="colloquy-emojis"
      locale={texts.language}
      columns={8}
      resolveEmojiData={loadEmojis}
      onEmojiSelect={({ emoji }) => select(emoji)}
    >
      <Picker.Search
        className="colloquy-input"
        placeholder={texts.searchEmojis}
        aria-label={texts.searchEmojis}
        autoFocus
      />
      <Picker.Viewport className="colloquy-emoji-list">
        <Picker.Loading className="colloquy-empty">{texts.loading}</Picker.Loading>
        <Picker.Empty className="colloquy-empty">{texts.noEmojiFound}</Picker.Empty>
        <Picker.List
          components={{
            CategoryHeader: ({ category, ...props }) => (
              <div {...props} className="colloquy-emoji-category">
                {category.label}
              </div>
            ),
            Row: ({ children, ...props }) => (
              <div {...countFromOne(props)} className="colloquy-emoji-row">
                {children}
              </div>
            ),
            Emoji: ({ emoji, ...props }) => (
              <button
                {...countFromOne(props)}
                type="button"
                className="colloquy-emoji"
                data-active={emoji.isActive || undefined}
              >
                {emoji.emoji}
              </button>
            ),
          }}
        />
      </Picker.Viewport>
    </Picker.Root>
  );
}

/** Returns props with the places that Frimousse counts from 0, and ARIA from 1. */
function countFromOne<Props extends AriaAttributes>(props: Props): Props {
  const { "aria-rowindex": row, "aria-colindex": column } = props;
  return {
    ...props,
    ...(row !== undefined && { "aria-rowindex": row + 1 }),
    ...(column !== undefined && { "aria-colindex": column + 1 }),
  };
}
