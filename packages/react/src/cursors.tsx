import { type CSSProperties, type ReactElement, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useMyPresence, useOthers } from "./hooks.ts";
import { useRecordUser } from "./record-user.tsx";
import { getRootProps } from "./root-props.ts";
import { useTexts } from "./texts.tsx";
import { getUserColor } from "./user-photo.tsx";

/** Props of `Cursors`. */
export interface CursorsProps {
  documentId: string;
  /** Name of the element, if a document has several with cursors. */
  area?: string | undefined;
  /** What the users point at. */
  children?: ReactNode | undefined;
  className?: string | undefined;
}

/** What the pages of a document share: where the pointer is, in parts of the element. */
interface CursorPresence {
  cursor?: { area: string; x: number; y: number } | null;
}

/** Time without a movement after which a cursor disappears. */
const IDLE_MS = 30_000;

/** Shows the pointers of the other users on its content, and shares the one of the user. */
export function Cursors({ documentId, area = "", children, className }: CursorsProps): ReactElement {
  const element = useRef<HTMLDivElement>(null);
  return (
    <div ref={element} {...getRootProps(useTexts(), "colloquy-cursors", className)}>
      {children}
      <OwnCursor {...{ documentId, area, element }} />
      <OtherCursors {...{ documentId, area }} />
    </div>
  );
}

interface OwnCursorProps {
  documentId: string;
  area: string;
  element: RefObject<HTMLElement | null>;
}

/** Shares the pointer while it is on the element. A component of its own, so that moving renders nothing else. */
function OwnCursor({ documentId, area, element }: OwnCursorProps): null {
  const [, update] = useMyPresence<CursorPresence>({ documentId });
  useEffect(() => {
    const target = element.current;
    let idle: ReturnType<typeof setTimeout> | undefined;
    function move({ clientX, clientY }: PointerEvent): void {
      const { left, top, width, height } = target?.getBoundingClientRect() ?? new DOMRect();
      if (width === 0 || height === 0) return;
      clearTimeout(idle);
      idle = setTimeout(leave, IDLE_MS);
      update({ cursor: { area, x: round((clientX - left) / width), y: round((clientY - top) / height) } });
    }
    function leave(): void {
      clearTimeout(idle);
      update({ cursor: null });
    }
    target?.addEventListener("pointermove", move);
    target?.addEventListener("pointerleave", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      target?.removeEventListener("pointermove", move);
      target?.removeEventListener("pointerleave", leave);
      document.removeEventListener("visibilitychange", leave);
      leave();
    };
  }, [update, area, element]);
  return null;
}

/** Returns a part of an element with a precision of less than a pixel. */
function round(part: number): number {
  return Math.round(part * 10_000) / 10_000;
}

function OtherCursors({ documentId, area }: Pick<OwnCursorProps, "documentId" | "area">): ReactElement {
  // The service does not validate what pages share.
  const { data } = useOthers<CursorPresence>({ documentId });
  return (
    // The avatars tell screen readers who is in the document.
    <div className="colloquy-cursor-layer" aria-hidden="true">
      {data.map(({ connectionId, data: { cursor }, ...user }) =>
        cursor?.area === area && typeof cursor.x === "number" && typeof cursor.y === "number" ? (
          <Cursor key={connectionId} user={user} x={cursor.x} y={cursor.y} />
        ) : null,
      )}
    </div>
  );
}

interface CursorProps {
  user: { userId: string; name: string | undefined };
  x: number;
  y: number;
}

function Cursor({ user, x, y }: CursorProps): ReactElement {
  const { name } = useRecordUser(user);
  // Styles of React have no types for variables.
  const place = { "--cq-x": x, "--cq-y": y } as CSSProperties;
  return (
    <div className="colloquy-cursor" data-color={getUserColor(user.userId)} style={place}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden>
        <path d="M1.5 1l4.6 13.2 2.5-5.7 5.8-2.3z" />
      </svg>
      <bdi>{name}</bdi>
    </div>
  );
}
