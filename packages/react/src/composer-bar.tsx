import { type KeyboardEvent, type ReactElement, type RefObject, useRef, useState } from "react";
import { EmojiButton } from "./emoji-button.tsx";
import { Icon, type IconName } from "./icons.tsx";
import type { Format, RichEditor } from "./rich-editor.ts";
import { getSafeHref } from "./rich-text.ts";
import { useTexts } from "./texts.tsx";

const FORMATS = ["bold", "italic", "bullets", "numbers", "code"] as const;

interface FormatBarProps {
  id: string;
  editor: RefObject<RichEditor | undefined>;
  formats: ReadonlySet<Format>;
  /** Whether the field for the address of a link is open. */
  isLinking: boolean;
  setLinking: (isLinking: boolean) => void;
}

/** Shows buttons that format the selected text. */
export function FormatBar({ id, editor, formats, isLinking, setLinking }: FormatBarProps): ReactElement {
  const texts = useTexts();
  return (
    <div id={id} role="toolbar" className="colloquy-formats" aria-label={texts.formatting}>
      {FORMATS.map((format) => (
        <BarButton
          key={format}
          icon={format}
          label={texts[format]}
          isPressed={formats.has(format)}
          press={() => editor.current?.toggle(format)}
        />
      ))}
      <BarButton
        icon="link"
        label={texts.link}
        isPressed={formats.has("link")}
        press={() => (formats.has("link") ? editor.current?.unlink() : setLinking(!isLinking))}
      />
      {isLinking && (
        <LinkField
          cancel={() => {
            setLinking(false);
            editor.current?.focus();
          }}
          link={(address) => {
            setLinking(false);
            editor.current?.link(address);
          }}
        />
      )}
    </div>
  );
}

/** Shows a field for the address of a link. */
function LinkField({ link, cancel }: { link: (address: string) => void; cancel: () => void }): ReactElement {
  const texts = useTexts();
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  function apply(): void {
    const typed = field.current?.value.trim() ?? "";
    const href = getSafeHref(typed) ?? getSafeHref(typed.includes("@") ? `mailto:${typed}` : `https://${typed}`);
    if (typed === "" || href === undefined) setWrong(true);
    else link(href);
  }
  function handleKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") apply();
    else cancel();
  }
  return (
    <span className="colloquy-link-field">
      <input
        ref={field}
        className="colloquy-input"
        aria-label={texts.linkAddress}
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        aria-invalid={isWrong}
        onKeyDown={handleKey}
        // biome-ignore lint/a11y/noAutofocus: The user has asked for the field.
        autoFocus
      />
      <button type="button" className="colloquy-button" onClick={apply}>
        {texts.apply}
      </button>
    </span>
  );
}

interface ComposerBarProps extends Omit<FormatBarProps, "id"> {
  isFormatting: boolean;
  setFormatting: (isFormatting: boolean) => void;
  formatsId: string;
  /** Adds files. Undefined if there is nowhere to store them. */
  attach: ((files: File[]) => void) | undefined;
}

/** Shows the buttons of a composer that add to its text. */
export function ComposerBar(props: ComposerBarProps): ReactElement {
  const { editor, isFormatting, setFormatting, formatsId, attach } = props;
  const texts = useTexts();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <BarButton
        icon="format"
        label={texts.formatting}
        isExpanded={isFormatting}
        controls={isFormatting ? formatsId : undefined}
        press={() => setFormatting(!isFormatting)}
      />
      <EmojiButton label={texts.addEmoji} select={(emoji) => editor.current?.insert(emoji)} />
      <BarButton icon="mention" label={texts.mention} press={() => editor.current?.startMention()} />
      {attach && (
        <>
          <BarButton icon="attach" label={texts.attach} press={() => input.current?.click()} />
          <input
            ref={input}
            type="file"
            multiple
            hidden
            tabIndex={-1}
            aria-label={texts.attach}
            onChange={({ target }) => {
              attach([...(target.files ?? [])]);
              target.value = "";
            }}
          />
        </>
      )}
    </>
  );
}

interface BarButtonProps {
  icon: IconName;
  label: string;
  isPressed?: boolean | undefined;
  isExpanded?: boolean | undefined;
  controls?: string | undefined;
  press: () => void;
}

function BarButton({ icon, label, isPressed, isExpanded, controls, press }: BarButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="colloquy-icon-button"
      data-variant="quiet"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      aria-controls={controls}
      // The text keeps the focus and the selection.
      onMouseDown={(event) => event.preventDefault()}
      onClick={press}
    >
      <Icon name={icon} />
    </button>
  );
}
