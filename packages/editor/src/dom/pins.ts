import type { PointAnchor } from "../model/anchor.ts";
import { adoptStyles } from "./adopt-styles.ts";
import { watchLayout } from "./layout-changes.ts";
import { movePin, type Point, pinAnchorAt, pinPosition } from "./pin-position.ts";
import { findElement } from "./selector.ts";
import { IGNORED_ATTRIBUTE } from "./text-index.ts";

/** A pin to show. */
export interface Pin {
  /** ID of the annotation. */
  annotationId: string;
  anchor: PointAnchor;
  /** Accessible name, such as "Comment 3 by Ada Lovelace". */
  label: string;
  /** What the pin shows, such as the number of the thread. */
  text: string;
  isActive?: boolean;
  /** Whether the user may move the pin. */
  isMovable?: boolean;
}

export interface PinsOptions {
  /** Element of the page with the elements that have pins. */
  root: Element;
  /** The user has clicked a pin, or pressed Enter on it. */
  onOpen(annotationId: string): void;
  /** The user has moved a pin by the pointer or by arrow keys. */
  onMove?(annotationId: string, anchor: PointAnchor): void;
}

/** The pins of a page. */
export interface Pins {
  /** Shows these pins, in the order of the Tab key, instead of those before. They keep the focus. */
  show(pins: readonly Pin[]): void;
  destroy(): void;
}

/** Distance in pixels from which on a press moves a pin instead of opening it. */
const DRAG_DISTANCE = 4;

const STYLES = `
.colloquy-page-pin {
  position: absolute;
  translate: -50% -50%;
  min-width: 1.75rem;
  height: 1.75rem;
  padding: 0 0.25rem;
  border: 2px solid var(--colloquy-on-accent, #fff);
  border-radius: 1rem;
  background: var(--colloquy-accent, #4c3a9e);
  color: var(--colloquy-on-accent, #fff);
  font: 600 0.8125rem system-ui, sans-serif;
  cursor: pointer;
}
.colloquy-page-pin[aria-current="true"] { scale: 1.2; }
.colloquy-page-pin:focus-visible { outline: 2px solid var(--colloquy-focus, #4c3a9e); outline-offset: 1px; }
@media (pointer: coarse) { .colloquy-page-pin { min-width: 44px; height: 44px; border-radius: 22px; } }`;

interface ShownPin extends Pin {
  button: HTMLButtonElement;
  element: Element | undefined;
  /** Anchor while the user moves the pin. */
  movedTo?: PointAnchor;
}

/** Shows buttons on elements of a page, in a layer at the end of the body, and lets users move them. */
export function createPins({ root, onOpen, onMove }: PinsOptions): Pins {
  const { ownerDocument } = root;
  const layer = ownerDocument.createElement("div");
  layer.setAttribute(IGNORED_ATTRIBUTE, "");
  Object.assign(layer.style, { position: "absolute", inset: "0 auto auto 0" });
  ownerDocument.body.append(layer);
  adoptStyles(layer, STYLES);
  const shown = new Map<string, ShownPin>();

  function place(): void {
    for (const pin of shown.values()) {
      // The page may have replaced the element.
      if (!pin.element?.isConnected) pin.element = findElement(root, pin.anchor.selector);
    }
    // All positions are read before any is written, so that the browser computes the layout once.
    const positions = [...shown.values()].map((pin) => {
      return { pin, position: pin.element && pinPosition(pin.element, pin.movedTo ?? pin.anchor, layer) };
    });
    for (const { pin, position } of positions) {
      pin.button.hidden = position === undefined;
      if (position) Object.assign(pin.button.style, { left: `${position.left}px`, top: `${position.top}px` });
    }
  }

  function createPin(annotationId: string): HTMLButtonElement {
    const button = ownerDocument.createElement("button");
    Object.assign(button, { type: "button", className: "colloquy-page-pin" });
    const getPin = () => shown.get(annotationId);
    let pressedAt: Point | undefined;
    let wasDragged = false;

    function finish(isKept: boolean): void {
      const pin = getPin();
      pressedAt = undefined;
      if (!pin?.movedTo) return;
      const anchor = pin.movedTo;
      delete pin.movedTo;
      if (isKept) {
        pin.anchor = anchor;
        onMove?.(annotationId, anchor);
      }
      place();
    }

    button.addEventListener("pointerdown", (event) => {
      wasDragged = false;
      if (event.button !== 0 || !getPin()?.isMovable) return;
      pressedAt = { left: event.clientX, top: event.clientY };
      button.setPointerCapture(event.pointerId);
    });
    button.addEventListener("pointermove", ({ clientX: left, clientY: top }) => {
      const pin = getPin();
      if (!pressedAt || !pin?.element) return;
      wasDragged ||= Math.hypot(left - pressedAt.left, top - pressedAt.top) >= DRAG_DISTANCE;
      if (!wasDragged) return;
      const { x, y } = pinAnchorAt(pin.element, { left, top });
      pin.movedTo = { ...pin.anchor, x, y };
      place();
    });
    button.addEventListener("pointerup", () => finish(true));
    button.addEventListener("pointercancel", () => finish(false));
    button.addEventListener("keydown", (event) => {
      const pin = getPin();
      if (event.key === "Escape" && pin?.movedTo) return finish(false);
      const movedTo = pin?.isMovable && movePin(pin.movedTo ?? pin.anchor, event);
      if (!movedTo) return;
      event.preventDefault();
      pin.movedTo = movedTo;
      place();
    });
    // A key that is held down repeats, and the last place counts.
    button.addEventListener("keyup", () => finish(true));
    button.addEventListener("blur", () => finish(true));
    button.addEventListener("click", () => {
      if (!wasDragged) onOpen(annotationId);
      wasDragged = false;
    });
    return button;
  }

  const stopWatching = watchLayout(ownerDocument.documentElement, place, layer);
  return {
    show(pins) {
      const kept = new Set(pins.map(({ annotationId }) => annotationId));
      for (const [annotationId, { button }] of shown) {
        if (kept.has(annotationId)) continue;
        button.remove();
        shown.delete(annotationId);
      }
      for (const [index, pin] of [...pins.entries()].reverse()) {
        const before = shown.get(pin.annotationId);
        const button = before?.button ?? createPin(pin.annotationId);
        const next = shown.get(pins[index + 1]?.annotationId ?? "")?.button;
        // A button that moved would lose the focus.
        if (!before) layer.insertBefore(button, next ?? null);
        const element = before?.anchor.selector === pin.anchor.selector ? before.element : undefined;
        const movedTo = before?.movedTo && { movedTo: before.movedTo };
        shown.set(pin.annotationId, { ...pin, button, element, ...movedTo });
        button.ariaLabel = pin.label;
        button.textContent = pin.text;
        button.ariaCurrent = pin.isActive ? "true" : null;
        button.dataset.movable = String(pin.isMovable ?? false);
        button.style.touchAction = pin.isMovable ? "none" : "auto";
      }
      place();
    },
    destroy() {
      stopWatching();
      layer.remove();
    },
  };
}
