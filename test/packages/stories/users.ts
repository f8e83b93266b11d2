export const ORGANIZATION_ID = "acme";
export const DOCUMENT_ID = "launch-plan";
/** Collaborative document whose versions the stories show. */
export const EDITOR_ID = "body";
/** The user who sees the stories. */
export const VIEWER = "ada";

export const USERS: { userId: string; name: string; photoUrl?: string }[] = [
  { userId: "ada", name: "Ada Lovelace" },
  { userId: "grace", name: "Grace Hopper" },
  { userId: "alan", name: "Alan Turing" },
  { userId: "katherine", name: "Katherine Johnson" },
  { userId: "linus", name: "Linus Pauling" },
  { userId: "mary", name: "Mary Jackson" },
].map((user, index) => ({ ...user, ...(index % 2 === 1 && { photoUrl: drawPortrait(index) }) }));

/** Returns the address of a drawn portrait. */
function drawPortrait(index: number): string {
  const [back, coat, skin, hair] = [
    ["#c9d8ef", "#2f4a78", "#e9bd9b", "#3b2a22"],
    ["#f2d7c3", "#7a3b2e", "#8d5a3c", "#1d1613"],
    ["#d5e6d3", "#33614a", "#f0cdb0", "#8a5a2b"],
  ][Math.floor(index / 2) % 3] ?? ["", "", "", ""];
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
    `<rect width="64" height="64" fill="${back}"/><path d="M8 64c0-15 11-22 24-22s24 7 24 22z" fill="${coat}"/>`,
    `<path d="M26 36h12v9a6 6 0 0 1-12 0z" fill="${skin}"/><circle cx="32" cy="26" r="13" fill="${skin}"/>`,
    `<path d="M18 27c-1-13 6-18 14-18s16 5 14 18c-2-6-5-9-8-10-6 3-14 2-17 3-1 2-2 4-3 7z" fill="${hair}"/></svg>`,
  ];
  return `data:image/svg+xml,${encodeURIComponent(svg.join(""))}`;
}
