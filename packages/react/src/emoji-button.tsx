import { type KeyboardEvent, lazy, type ReactElement, Suspense, useRef, useState } from "react";
import { Icon } from "./icons.tsx";
import { Popover } from "./popover.tsx";
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
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  function close(): void {
    setOpen(false);
    button.current?.focus();
  }
  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault();
    close();
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="colloquy-icon-button"
        data-variant="quiet"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="emoji" />
      </button>
      {isOpen && (
        <Popover
          getAnchor={() => button.current?.getBoundingClientRect()}
          close={() => setOpen(false)}
          owner={button.current}
        >
          <div role="dialog" aria-label={label} onKeyDown={closeOnEscape}>
            <Suspense fallback={<p className="colloquy-empty">{texts.loading}</p>}>
              <EmojiPicker
                select={(emoji) => {
                  close();
                  select(emoji);
                }}
              />
            </Suspense>
          </div>
        </Popover>
      )}
    </>
  );
}
