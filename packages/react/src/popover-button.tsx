import {
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from "react";
import { Popover } from "./popover.tsx";

interface PopoverButtonProps {
  /** What the button shows. */
  face: ReactNode;
  /** Attributes of the button, such as its name for screen readers. */
  attributes: ButtonHTMLAttributes<HTMLButtonElement> & { [name: `data-${string}`]: unknown };
  /** Name of the content, if it is a dialog. */
  dialogLabel?: string | undefined;
  /** Returns the content. `close` closes it and gives the button the focus. */
  children: (close: () => void) => ReactNode;
}

/** Shows a button that opens content above everything else. Escape closes it, on the button and in the content. */
export function PopoverButton({ face, attributes, dialogLabel, children }: PopoverButtonProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  function close(): void {
    setOpen(false);
    button.current?.focus();
  }
  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    event.preventDefault();
    close();
  }
  const dialog = dialogLabel === undefined ? {} : { role: "dialog", "aria-label": dialogLabel };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="colloquy-icon-button"
        data-variant="quiet"
        {...attributes}
        aria-haspopup={dialogLabel === undefined ? undefined : "dialog"}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={closeOnEscape}
      >
        {face}
      </button>
      {isOpen && (
        <Popover
          getAnchor={() => button.current?.getBoundingClientRect()}
          close={() => setOpen(false)}
          owner={button.current}
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is in it. */}
          <div {...dialog} onKeyDown={closeOnEscape}>
            {children(close)}
          </div>
        </Popover>
      )}
    </>
  );
}
