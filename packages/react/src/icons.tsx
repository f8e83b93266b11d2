import type { ReactElement } from "react";

/** Paths of the icons, drawn in a square of 16. */
const PATHS = {
  bold: "M5 3h3.6a2.4 2.4 0 0 1 0 4.8H5zM5 7.8h4.2a2.6 2.6 0 0 1 0 5.2H5z",
  italic: "M7 3h5M4 13h5M9.5 3l-3 10",
  link: "M6.8 9.2l2.4-2.4M7.4 4.6l1.3-1.3a2.8 2.8 0 0 1 4 4l-1.3 1.3M8.6 11.4l-1.3 1.3a2.8 2.8 0 0 1-4-4l1.3-1.3",
  bullets: "M6.5 4H14M6.5 8H14M6.5 12H14M3 4h.01M3 8h.01M3 12h.01",
  numbers: "M7 4h7M7 8h7M7 12h7M2.5 3l1-.5V6M2.4 10.3c.4-.9 1.9-.8 1.8.2 0 .7-1.8 1.6-1.8 2.5h2",
  code: "M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5",
  format: "M2 12.5L5.5 3.5 9 12.5M3.2 9.5h4.6M14 7.5v5M14 10a2 2.5 0 1 1-4 0 2 2.5 0 0 1 4 0",
  emoji: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M5.5 9.5a3 3 0 0 0 5 0M6 6.2v.1M10 6.2v.1",
  attach: "M13.5 7.5l-5.3 5.3a3.3 3.3 0 0 1-4.7-4.7l5.6-5.6a2.2 2.2 0 0 1 3.1 3.1l-5.5 5.5a1.1 1.1 0 0 1-1.6-1.6l5-5",
  mention: "M10.5 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0v.8a1.7 1.7 0 0 0 3.4 0V8a6 6 0 1 0-2.4 4.8",
  send: "M8 13V3.5M3.8 7.5L8 3.3l4.2 4.2",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5l3.3 3.3L13 5",
  reopen: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v3h3",
  file: "M9 2H4.5v12h7V4.5zM9 2v2.5h2.5",
  alert: "M8 5v3.5M8 11v.1M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12",
  bell: "M4.5 7a3.5 3.5 0 0 1 7 0c0 3 1.5 4 1.5 4.5H3C3 11 4.5 10 4.5 7M6.7 13.5a1.4 1.4 0 0 0 2.6 0",
  inbox: "M2.5 9l2-6h7l2 6v4h-11zM2.5 9h3.2l1 1.7h2.6l1-1.7h3.2",
  archive: "M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 8.7h3",
  restore: "M2.5 3h11v3h-11zM3.5 6v7h9V6M8 11.5V8M6.3 9.5L8 7.8l1.7 1.7",
  trash: "M3 4.5h10M6.2 4.5V3h3.6v1.5M4.2 4.5l.6 8.5h6.4l.6-8.5M6.7 7v3.5M9.3 7v3.5",
  comment: "M2.5 3.5h11V11H8l-3 2.5V11H2.5z",
  assign: "M6.5 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6M2.5 13c0-2.3 1.8-3.8 4-3.8s4 1.5 4 3.8M12 5.5v4M10 7.5h4",
  flag: "M4 14V2.5M4 3h8l-1.7 2.7L12 8.5H4",
  checks: "M1.5 8.5l3 3L10 5M7.5 11.2l.3.3L14 5",
  change: "M3 13l.7-2.8 6.8-6.8 2.1 2.1-6.8 6.8z",
  pin: "M8 14s4.5-4.3 4.5-7.5a4.5 4.5 0 0 0-9 0C3.5 9.7 8 14 8 14M8 8.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4",
  chevron: "M4.5 6.5L8 10l3.5-3.5",
  filter: "M2.5 4h11M4.5 8h7M6.5 12h3",
} as const;

/** Shows an icon in the color of the text, hidden from screen readers. */
export function Icon({ name }: { name: keyof typeof PATHS }): ReactElement {
  return (
    <svg
      className="colloquy-icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      aria-hidden
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export type IconName = keyof typeof PATHS;
