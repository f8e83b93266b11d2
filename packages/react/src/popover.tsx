import { type ReactElement, type ReactNode, type Ref, useEffect, useLayoutEffect, useRef } from "react";

interface PopoverProps {
  /** Returns where the anchor is now, in the viewport. */
  getAnchor: () => DOMRect | undefined;
  close: () => void;
  /** Elements whose clicks do not close the popover, beside its own. */
  owner?: HTMLElement | null | undefined;
  children: ReactNode;
  className?: string | undefined;
  ref?: Ref<HTMLDivElement> | undefined;
}

const MARGIN = 8;

/**
 * Shows content above everything else, below its anchor or above it if there is more space. Closes with a click
 * elsewhere. The place of the element in the document is that of the component, so that the focus moves to it.
 */
export function Popover({ getAnchor, close, owner, children, className = "" }: PopoverProps): ReactElement {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef({ getAnchor, close, owner });
  latest.current = { getAnchor, close, owner };
  // Each render may change the size of the content.
  useLayoutEffect(() => place(element.current, latest.current.getAnchor()));
  useEffect(() => {
    const move = () => place(element.current, latest.current.getAnchor());
    const closeOutside = ({ target }: PointerEvent) => {
      const isInside = [element.current, latest.current.owner].some((each) => each?.contains(target as Node));
      if (!isInside) latest.current.close();
    };
    window.addEventListener("resize", move);
    window.addEventListener("scroll", move, true);
    document.addEventListener("pointerdown", closeOutside);
    return () => {
      window.removeEventListener("resize", move);
      window.removeEventListener("scroll", move, true);
      document.removeEventListener("pointerdown", closeOutside);
    };
  }, []);
  return (
    <div ref={element} className={`colloquy-popover ${className}`} popover="manual">
      {children}
    </div>
  );
}

function place(element: HTMLDivElement | null, anchor: DOMRect | undefined): void {
  if (!element || !anchor) return;
  // Browsers before 2024 have no top layer for other elements than dialogs.
  if (element.showPopover && !element.matches(":popover-open")) element.showPopover();
  const { clientWidth, clientHeight } = document.documentElement;
  const { offsetWidth, offsetHeight } = element;
  const below = clientHeight - anchor.bottom - MARGIN;
  const isAbove = below < offsetHeight && anchor.top > below;
  const top = isAbove ? anchor.top - offsetHeight - 4 : anchor.bottom + 4;
  const isRightToLeft = getComputedStyle(element).direction === "rtl";
  const start = isRightToLeft ? anchor.right - offsetWidth : anchor.left;
  const left = Math.max(MARGIN, Math.min(start, clientWidth - offsetWidth - MARGIN));
  Object.assign(element.style, { top: `${Math.max(MARGIN, top)}px`, left: `${left}px` });
}
