/** Outlines of the icons on a grid of 24 by 24, drawn with a stroke. */
const OUTLINES = {
  overview: "M3 3h7v9H3zM14 3h7v5h-7zM14 12h7v9h-7zM3 16h7v5H3z",
  activities: "M22 12h-4l-3 9L9 3l-3 9H2",
  organizations: "M4 21V4a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v17M15 9h4a1 1 0 0 1 1 1v11M2 21h20M8 7h3M8 11h3M8 15h3",
  people: "M15 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M9 11a4 4 0 1 0-1 0zM22 21v-2a4 4 0 0 0-3-4M16 3a4 4 0 0 1 0 8",
  documents: "M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8zM14 2v6h6M8 13h8M8 17h5",
  notifications: "M18 8a6 6 0 0 0-12 0c0 7-3 9-3 9h18s-3-2-3-9M13.7 21a2 2 0 0 1-3.4 0",
  recordings: "M12 2a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V5a3 3 0 0 0-3-3M19 10v1a7 7 0 0 1-14 0v-1M12 18v4",
  presence: "M5 12.5a10 10 0 0 1 14 0M8.5 16.1a5 5 0 0 1 7 0M1.5 9a15 15 0 0 1 21 0M12 20h.01",
  deletions:
    "M3 6h18M8 6V4a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v2M19 6l-1 14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2L5 6M10 11v6M14 11v6",
  api: "M16 18l6-6-6-6M8 6l-6 6 6 6",
  tokens: "M7.5 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.7 12.3 20 3M16 7l3 3",
  domains: "M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20M2 12h20M12 2a15 15 0 0 1 0 20M12 2a15 15 0 0 0 0 20",
  webhooks: "M22 2 11 13M22 2l-7 20-4-9-9-4z",
  requests: "M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01",
  mails: "M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M22 7l-10 6L2 7",
  outbox:
    "M22 12h-6l-2 3h-4l-2-3H2M5.5 5 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.5-7A2 2 0 0 0 17 4H7a2 2 0 0 0-1.5 1z",
  settings: "M4 21v-7M4 10V3M12 21v-9M12 8V3M20 21v-5M20 12V3M1 14h6M9 8h6M17 16h6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  open: "M9 18l6-6-6-6",
  search: "M11 19a8 8 0 1 0 0-16 8 8 0 0 0 0 16M21 21l-4.3-4.3",
} as const;

export type IconName = keyof typeof OUTLINES;

/** A decorative icon in the color of the text; the text or label beside it says what it means. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      strokeWidth={name === "more" ? 3 : 1.75}
      aria-hidden="true"
    >
      <path d={OUTLINES[name]} />
    </svg>
  );
}
