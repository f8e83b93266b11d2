import type { CommentAnnotation } from "@colloquy/client";
import { getPermittedActions } from "@colloquy/client/stores";
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { useFocusAfter } from "./action.tsx";
import { type ComposedComment, Composer } from "./composer.tsx";
import type { ThreadsState } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { isDrag, movePoint, type Point, toPoint } from "./pin-point.ts";
import { Popover } from "./popover.tsx";
import { useSession } from "./provider.tsx";
import { RecordUserPhoto, useRecordUser } from "./record-user.tsx";
import { useTexts } from "./texts.tsx";
import { Thread, type ThreadProps } from "./thread.tsx";

interface PinProps {
  thread: CommentAnnotation;
  threads: ThreadsState;
  point: Point;
  area: RefObject<HTMLElement | null>;
  isActive: boolean;
  /** Props of the thread that the page gives. */
  threadProps: Omit<ThreadProps, "thread" | "threads" | "className">;
  open: () => void;
  close: () => void;
  /** Returns whether the pin is there now. */
  move: (to: Point) => Promise<boolean>;
  /** Button that adds a pin, which gets the focus when the last pin is removed. */
  addButton: RefObject<HTMLElement | null>;
}

/** Shows a pin, and its thread beside it if it is active. */
export function Pin(props: PinProps): ReactElement {
  const { thread, threads, point, area, isActive, threadProps, open, close, move, addButton } = props;
  const texts = useTexts();
  const { userId } = useSession();
  const { name } = useRecordUser(thread.from);
  const { annotationNumber, status } = thread;
  const isResolved = status.type === "terminal";
  const mayMove =
    !threadProps.isReadOnly && getPermittedActions(thread, userId, threads.accessRole ?? "viewer").resolve;
  const button = useRef<HTMLButtonElement>(null);
  const { shown, handlers, wasDragged } = useMovable({ point, area, move: mayMove ? move : undefined });
  function closeAndFocus(): void {
    close();
    button.current?.focus();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the thread in it.
    <div
      ref={useFocusAfter<HTMLDivElement>((place) => getNeighbor(place) ?? addButton.current)}
      className="colloquy-pin-place"
      style={toStyle(shown)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isActive) return;
        event.stopPropagation();
        closeAndFocus();
      }}
    >
      <button
        ref={button}
        type="button"
        className="colloquy-pin"
        aria-expanded={isActive}
        data-resolved={isResolved}
        data-movable={mayMove}
        onClick={() => {
          if (wasDragged()) return;
          if (isActive) close();
          else open();
        }}
        {...handlers}
      >
        <span className="colloquy-hidden">{texts.pinOf(annotationNumber, name)}</span>
        <RecordUserPhoto user={thread.from} />
        <span className="colloquy-pin-number" aria-hidden="true">
          {isResolved ? <Icon name="check" /> : annotationNumber}
        </span>
      </button>
      {isActive && (
        <Popover getAnchor={() => button.current?.getBoundingClientRect()} close={close} owner={button.current}>
          <Thread {...threadProps} thread={thread} threads={threads} />
        </Popover>
      )}
    </div>
  );
}

interface NewPinProps {
  point: Point;
  area: RefObject<HTMLElement | null>;
  documentId: string;
  upload: ThreadProps["upload"];
  /** Starts a thread at the point. */
  add: (comment: ComposedComment) => Promise<void>;
  move: (to: Point) => void;
  close: () => void;
}

/** Shows a pin whose comment the user writes. */
export function NewPin({ point, area, documentId, upload, add, move, close }: NewPinProps): ReactElement {
  const texts = useTexts();
  const { userId } = useSession();
  const button = useRef<HTMLButtonElement>(null);
  const { shown, handlers } = useMovable({
    ...{ point, area },
    async move(to) {
      move(to);
      return true;
    },
  });
  return (
    <div className="colloquy-pin-place" style={toStyle(shown)}>
      <button ref={button} type="button" className="colloquy-pin" data-movable {...handlers}>
        <span className="colloquy-hidden">{texts.newPin}</span>
        <RecordUserPhoto user={{ userId }} />
      </button>
      <Popover getAnchor={() => button.current?.getBoundingClientRect()} close={close} owner={button.current}>
        <div className="colloquy-pin-form">
          <Composer
            {...{ documentId, upload }}
            draftId={`new/${documentId}/pin`}
            label={texts.comment}
            onSubmit={add}
            onCancel={close}
            autoFocus
          />
        </div>
      </Popover>
    </div>
  );
}

/** Returns the next pin, or the one before. */
function getNeighbor(place: HTMLElement): HTMLElement | undefined {
  const pins = [...(place.parentElement?.querySelectorAll<HTMLElement>(".colloquy-pin") ?? [])];
  const index = pins.findIndex((pin) => place.contains(pin));
  return pins[index + 1] ?? pins[index - 1];
}

function toStyle({ x, y }: Point): CSSProperties {
  return { left: `${100 * x}%`, top: `${100 * y}%` };
}

interface Movable {
  point: Point;
  area: RefObject<HTMLElement | null>;
  /** Moves the pin, and returns whether it is there now; undefined for one that the user may not move. */
  move: ((to: Point) => Promise<boolean>) | undefined;
}

/** Lets the user move a pin by the pointer and by arrow keys. Shows the new place until the pin has it. */
function useMovable({ point, area, move }: Movable) {
  const [target, setTarget] = useState<Point>();
  const press = useRef<{ from: Point; isDragging: boolean }>(undefined);
  const dragged = useRef(false);
  async function finish(): Promise<void> {
    press.current = undefined;
    if (target && move && !(await move(target))) setTarget(undefined);
  }
  function cancel(): void {
    press.current = undefined;
    setTarget(undefined);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: The pin has another place now.
  useEffect(() => setTarget(undefined), [point.x, point.y]);
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      dragged.current = false;
      if (!move || event.button !== 0) return;
      press.current = { from: { x: event.clientX, y: event.clientY }, isDragging: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove({ clientX: x, clientY: y }: PointerEvent) {
      if (!press.current || !area.current) return;
      press.current.isDragging ||= isDrag(press.current.from, { x, y });
      dragged.current = press.current.isDragging;
      if (press.current.isDragging) setTarget(toPoint(area.current, { x, y }));
    },
    onPointerUp: () => void finish(),
    onPointerCancel: cancel,
    onKeyDown(event: KeyboardEvent) {
      if (event.key === "Escape" && target) {
        event.stopPropagation();
        return cancel();
      }
      const to = move && movePoint(target ?? point, event.key, event.shiftKey);
      if (!to) return;
      event.preventDefault();
      setTarget(to);
    },
    // A key that is held down repeats, and the last place counts.
    onKeyUp: () => void finish(),
    onBlur: () => void finish(),
  };
  return { shown: target ?? point, handlers, wasDragged: () => dragged.current };
}
