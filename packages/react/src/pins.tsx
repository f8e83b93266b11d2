import type { CommentAnnotation } from "@colloquy/client";
import { type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode, useRef, useState } from "react";
import { useAction } from "./action.tsx";
import type { ComposedComment } from "./composer.tsx";
import { useThreads } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { ErrorMessage } from "./notice.tsx";
import { NewPin, Pin } from "./pin.tsx";
import { type Point, toPoint } from "./pin-point.ts";
import { getRootProps } from "./root-props.ts";
import { useTexts } from "./texts.tsx";
import type { ThreadProps } from "./thread.tsx";

/** Props of `Pins`. */
export interface PinsProps extends Omit<ThreadProps, "thread" | "threads"> {
  documentId: string;
  /** CSS selector of the element, by which its anchors name it. */
  selector: string;
  /** What has the pins, such as an image. */
  children?: ReactNode | undefined;
  /** Whether to show the pins of resolved threads too. */
  showResolved?: boolean | undefined;
  /** Thread that is open, if the page says so. */
  activeId?: string | undefined;
  /** Called when the user opens and closes a thread. */
  onActiveChange?: ((annotationId: string | undefined) => void) | undefined;
}

/**
 * Shows the threads on points of its content as pins, which open them. Users add pins, and move those that they may
 * change by the pointer or the arrow keys.
 */
export function Pins(props: PinsProps): ReactElement {
  const { documentId, selector, children, showResolved = false, activeId: givenId, onActiveChange, ...rest } = props;
  const { className, ...threadProps } = rest;
  const texts = useTexts();
  const threads = useThreads({ documentId });
  const [ownActiveId, setOwnActiveId] = useState<string>();
  const activeId = givenId ?? ownActiveId;
  const [isAdding, setAdding] = useState(false);
  const [draft, setDraft] = useState<Point>();
  const moving = useAction();
  const area = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const pins = threads.data.flatMap((thread) => {
    const point = getPoint(thread, selector);
    return point && (showResolved || thread.status.type !== "terminal") ? [{ thread, point }] : [];
  });
  const mayAdd = !threadProps.isReadOnly && threads.accessRole !== undefined && threads.accessRole !== "viewer";

  function open(annotationId: string | undefined): void {
    setOwnActiveId(annotationId);
    onActiveChange?.(annotationId);
  }
  function stopAdding(): void {
    setAdding(false);
    setDraft(undefined);
    addButton.current?.focus();
  }
  function stopOnEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !(isAdding || draft)) return;
    event.stopPropagation();
    stopAdding();
  }
  function place({ detail, clientX, clientY }: MouseEvent): void {
    setAdding(false);
    // The keyboard clicks without a place.
    setDraft(detail === 0 || !area.current ? { x: 0.5, y: 0.5 } : toPoint(area.current, { x: clientX, y: clientY }));
  }
  async function add({ text, ...options }: ComposedComment): Promise<void> {
    if (draft) await threads.add(text, { ...options, anchor: { selector, ...draft } });
    stopAdding();
  }
  async function move({ annotationId }: CommentAnnotation, point: Point): Promise<boolean> {
    let isMoved = false;
    await moving.run(async () => {
      await threads.moveAnchor(annotationId, { selector, ...point });
      isMoved = true;
    });
    return isMoved;
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape ends what the user has begun in it.
    <div {...getRootProps(texts, "colloquy-pins", className)} data-adding={isAdding} onKeyDown={stopOnEscape}>
      {mayAdd && (
        <div className="colloquy-pins-bar">
          <button
            ref={addButton}
            type="button"
            className="colloquy-button"
            aria-pressed={isAdding}
            onClick={() => (isAdding || draft ? stopAdding() : setAdding(true))}
          >
            <Icon name="pin" />
            {texts.addPin}
          </button>
          {isAdding && <p role="status">{texts.placePin}</p>}
        </div>
      )}
      <ErrorMessage error={moving.error ?? threads.error} />
      <div ref={area} className="colloquy-pins-area">
        {children}
        {isAdding && (
          <button type="button" className="colloquy-pins-target" aria-label={texts.placePin} onClick={place} />
        )}
        {pins.map(({ thread, point }) => (
          <Pin
            key={thread.annotationId}
            {...{ thread, threads, threadProps, point, area, addButton }}
            isActive={thread.annotationId === activeId}
            open={() => open(thread.annotationId)}
            close={() => open(undefined)}
            move={(to) => move(thread, to)}
          />
        ))}
        {draft && (
          <NewPin
            {...{ documentId, point: draft, area, add, move: setDraft, close: stopAdding }}
            upload={threadProps.upload}
          />
        )}
      </div>
    </div>
  );
}

function getPoint({ anchor }: CommentAnnotation, selector: string): Point | undefined {
  return anchor && "x" in anchor && anchor.selector === selector ? { x: anchor.x, y: anchor.y } : undefined;
}
