/** What the invented team of team-day.json has besides its commits. */
import type { Api } from "../src/operations.ts";

type Status = NonNullable<Api["/v2/commentannotations/add"]["request"]["commentAnnotations"][number]["status"]>;

/** A thread of comments, each with its author and the users who react to it. */
interface Thread {
  documentId: string;
  annotationId: string;
  place: string;
  status: Status["type"];
  assignedTo?: string;
  comments: { from: string; text: string; reaction?: string; reactingUserIds?: string[] }[];
}

/** An organization with its users and documents, by ID. */
export interface Customer {
  organizationId: string;
  organizationName: string;
  users: Record<string, string>;
  documents: Record<string, string>;
}

const LENA = "lena@harbor.example";
const NIA = "nia@harbor.example";
const OMAR = "omar@harbor.example";
const TOMAS = "tomas@harbor.example";
const YUKI = "yuki@harbor.example";

export const ORGANIZATION_NAME = "Harbor Booking";

export const FOLDERS = [
  { folderId: "engineering", folderName: "Engineering", documentIds: ["src/api", "src/web"] },
  { folderId: "operations", folderName: "Operations", documentIds: ["deploy"] },
];

export const THREADS: Thread[] = [
  {
    documentId: "src/api",
    annotationId: "time-zones",
    place: "Recurring bookings",
    status: "terminal",
    comments: [
      { from: OMAR, text: "A weekly booking moved by an hour when summer time began. Is that intended?" },
      {
        from: NIA,
        text: "No. It is fixed, with a test for each change of the clock.",
        reaction: "🎉",
        reactingUserIds: [OMAR],
      },
    ],
  },
  {
    documentId: "src/web",
    annotationId: "disabled-days",
    place: "Calendar",
    status: "ongoing",
    assignedTo: YUKI,
    comments: [{ from: LENA, text: "Disabled days are hard to read in bright light. More contrast?" }],
  },
  {
    documentId: "src/api",
    annotationId: "overlap-error",
    place: "Overlapping bookings",
    status: "default",
    assignedTo: NIA,
    comments: [
      { from: TOMAS, text: "Which status does the form get if two people book the same space at once?" },
      {
        from: NIA,
        text: "The second one gets 409, with the booking that was faster.",
        reaction: "👍",
        reactingUserIds: [TOMAS, YUKI],
      },
      { from: YUKI, text: "Then the form can show it. I will add a sentence for that." },
    ],
  },
];

export const RECORDINGS = [
  {
    documentId: "src/web",
    annotationId: "phone-walkthrough",
    from: YUKI,
    displayName: "The booking form on a phone",
    seconds: 94,
  },
  {
    documentId: "deploy",
    annotationId: "backup-drill",
    from: LENA,
    displayName: "Restoring last night's backup",
    seconds: 312,
  },
];

/** A text that users edit together. */
export const EDITOR = {
  documentId: "src/api",
  editorId: "changes",
  type: "text" as const,
  data: [
    "What changes for callers of the booking API",
    "",
    "- Two people who book the same space at once: the second one gets 409 with the booking that was faster.",
    "- Weekly bookings keep their local time when the clocks change.",
    "- Rooms are called spaces. The old names work until March.",
    "",
  ].join("\n"),
};

/** Domain of the product's pages. */
export const DOMAIN = "app.harbor.example";

/** Endpoint that is disabled, so that the service never calls its URL. */
export const WEBHOOK = {
  uid: "harbor-chat",
  url: "https://hooks.harbor.example/colloquy",
  description: "Posts new comments to the team's chat",
  filterTypes: ["comment_annotation.add" as const, "comment.add" as const],
  disabled: true,
};

/** User who has read their notifications, and gets a test mail. */
export const READER = TOMAS;

export const CUSTOMERS: Customer[] = [
  {
    organizationId: "orchard",
    organizationName: "Orchard Hotels",
    users: { "mira@orchard.example": "Mira Janssen", "theo@orchard.example": "Theo Lund" },
    documents: { menu: "Spring menu", rota: "Staff rota" },
  },
  {
    organizationId: "quarry",
    organizationName: "Quarry Architects",
    users: { "ines@quarry.example": "Inês Prado", "sam@quarry.example": "Sam Whitlock" },
    documents: { "site-plan": "Site plan", tender: "Tender" },
  },
];
