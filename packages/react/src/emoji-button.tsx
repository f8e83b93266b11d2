import { lazy, type ReactElement, Suspense } from "react";
import { Icon } from "./icons.tsx";
import { PopoverButton } from "./popover-button.tsx";
import { useTexts } from "./texts.tsx";

/** The picker and its data are loaded when it is opened for the first time. */
const EmojiPicker = lazy(() => import("./emoji-picker.tsx"));

interface EmojiButtonProps {
  /** Name for screen readers. */
  label: string;
  select: (emoji: string) => void;
}

/** Shows a button that opens a picker of emojis. */
export function EmojiButton({ label, select }: EmojiButtonProps): ReactElement {
  const texts = useTexts();
  return (
    <PopoverButton face={<Icon name="emoji" />} attributes={{ "aria-label": label, title: label }} dialogLabel={label}>
      {(close) => (
        <Suspense fallback={<p className="colloquy-empty">{texts.loading}</p>}>
          <EmojiPicker
            select={(emoji) => {
              close();
              select(emoji);
            }}
          />
        </Suspense>
      )}
    </PopoverButton>
  );
}
