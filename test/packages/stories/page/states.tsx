import type { Client, Comment, CommentAnnotation } from "@colloquy/client";
import {
  type Attachment,
  type ComposedComment,
  Composer,
  type ComposerProps,
  Thread,
  type ThreadProps,
  type Upload,
  type UserProfile,
} from "@colloquy/react";
import { type ReactElement, useState } from "react";

const resets = new Set<() => void>();
/** A client for components that call no service. */
export const CLIENT = {
  reset: () => {
    for (const listener of resets) listener();
  },
  onReset(listener: () => void) {
    resets.add(listener);
    return () => resets.delete(listener);
  },
} as unknown as Client<"page">;

const NOW = Date.now();
const MINUTE_MS = 60_000;
const PHOTO =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#d8b08c"/>' +
      '<circle cx="20" cy="16" r="8" fill="#5b3a29"/><path d="M4 40a16 14 0 0 1 32 0z" fill="#2f6f4f"/></svg>',
  );
const ADA = { userId: "ada", name: "Ada Lovelace", photoUrl: PHOTO };
const GRACE = { userId: "grace", name: "Grace Hopper" };
const LINUS = { userId: "linus", name: "Linus Torvalds" };
const LONG = {
  userId: "long",
  name: "Wolfeschlegelsteinhausenbergerdorff-Oberhuber von und zu Guttenberg-Aufseß-Thurn",
};

export async function searchUsers(text: string): Promise<UserProfile[]> {
  const users = [
    { ...GRACE, description: "Legal" },
    { ...LINUS, description: "Engineering" },
    { userId: "legal", name: "Legal team", memberIds: ["grace", "linus", "alan"] },
  ];
  return users.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
}

function comment(
  commentId: number,
  from: Comment["from"],
  commentText: string,
  fields: Partial<Comment> = {},
): Comment {
  const createdAt = fields.createdAt ?? NOW - (100 - commentId) * 7 * MINUTE_MS;
  return {
    ...{ commentId, from, commentText, createdAt, lastUpdated: new Date(createdAt).toISOString() },
    ...{ type: "text", status: "added", isDraft: false, isCommentTextAvailable: true },
    ...{ attachments: [], taggedUserContacts: [], reactions: [], reactionAnnotationIds: [], reactionAnnotations: [] },
    ...fields,
  };
}

function reactions(given: Record<string, Comment["from"][]>): Comment["reactionAnnotations"] {
  return Object.entries(given).map(([icon, users]) => ({
    ...{ annotationId: icon, type: "reaction" as const, icon, commentAnnotationId: "thread", lastUpdated: NOW },
    fromUsers: users.map((from) => ({ lastUpdated: NOW, from })),
  }));
}

function annotation(comments: Comment[], fields: Partial<CommentAnnotation> = {}): CommentAnnotation {
  return {
    ...{ annotationId: "thread", annotationNumber: 3, annotationIndex: 1, type: "comment", commentType: "manual" },
    ...{ createdAt: NOW, lastUpdated: NOW, sourceType: "rest-api", visibilityConfig: { type: "public" } },
    ...{ hasDraftComments: false, comments, from: comments[0]?.from ?? ADA },
    status: { id: "OPEN", name: "Open", type: "default", color: "#1971c2", lightColor: "#e7f5ff" },
    metadata: { apiKey: "key", documentId: "contract-7", organizationId: "acme" },
    ...fields,
  } as CommentAnnotation;
}

const nothing = async () => {};
const fail = () => Promise.reject(new Error("It fails."));
const ACTIONS: ThreadProps["threads"] = {
  ...{ reply: nothing, resolve: nothing, reopen: nothing, edit: nothing, remove: nothing, react: nothing },
  ...{ unreact: nothing, accessRole: "moderator" },
};
const FAILING = { ...ACTIONS, reply: fail, resolve: fail, remove: fail };

/** Uploads half of a file, or fails for a file of this name. */
const upload: Upload = (file, { onProgress }) => {
  if (file.name.includes("fails")) return Promise.reject(new Error("It fails."));
  onProgress(0.6);
  if (file.name.includes("slow")) return new Promise(() => {});
  const attachment: Attachment = { attachmentId: 1, name: file.name, mimeType: file.type, size: file.size };
  return Promise.resolve(attachment);
};

function show(thread: CommentAnnotation, props: Partial<ThreadProps> = {}): ReactElement {
  const getLink = ({ commentId }: Comment) => `https://example.com/contract-7#${commentId}`;
  return <Thread threads={ACTIONS} thread={thread} upload={upload} getLink={getLink} {...props} />;
}

const COMMENTS = [
  comment(
    90,
    ADA,
    "Should this say **thirty days**, @Grace Hopper? See https://example.com/terms/payment (section 4).",
    {
      commentHtml:
        "<p>Should this say <strong>thirty days</strong>, @Grace Hopper? " +
        "See https://example.com/terms/payment " +
        "(section 4).</p>" +
        "<ul><li>The <em>old</em> contract had sixty</li><li>They asked for <code>net 30</code></li></ul>",
      taggedUserContacts: [{ userId: "grace", text: "@Grace Hopper" }],
      reactionAnnotations: reactions({ "👍": [GRACE, ADA], "🎉": [LINUS] }),
    },
  ),
  comment(97, GRACE, "Yes. I have marked the clause, and attached what they sent us.", {
    status: "updated",
    attachments: [
      { attachmentId: 1, name: "clause-4.png", mimeType: "image/png", url: `${location.origin}/picture`, size: 24_680 },
      {
        attachmentId: 2,
        name: "Master services agreement (signed).pdf",
        type: "pdf",
        size: 1_240_000,
        url: "https://example.com/msa.pdf",
      },
    ],
  }),
  comment(99, LINUS, "Fine with me."),
];
const MANY = Array.from({ length: 100 }, (_, index) =>
  comment(index + 1, [ADA, GRACE, LINUS][index % 3] ?? ADA, `Comment ${index + 1} of a long discussion.`),
);
const QUOTE = { exact: "payment is due within sixty days of receipt of the invoice", prefix: "", suffix: "" };

/** Shows what a composer sends. A text with the word "rejected" fails, once the button is pressed if it has "held". */
function Recorder({ initial }: Pick<ComposerProps, "initial">): ReactElement {
  const [sent, setSent] = useState<ComposedComment[]>([]);
  const [isCanceled, setCanceled] = useState(false);
  const [release, setRelease] = useState<() => void>();
  async function record(comment: ComposedComment): Promise<void> {
    if (comment.text.includes("held")) await new Promise<void>((resolve) => setRelease(() => resolve));
    if (comment.text.includes("rejected")) throw new Error("It fails.");
    setSent((before) => [...before, comment]);
  }
  return (
    <>
      <Composer
        onSubmit={record}
        onCancel={() => setCanceled(true)}
        draftId="recorder"
        placeholder="Add a comment…"
        {...{ upload, initial }}
      />
      <output>{JSON.stringify(sent)}</output>
      {release && (
        <button type="button" onClick={release}>
          Respond
        </button>
      )}
      <button type="button" onClick={() => CLIENT.reset()}>
        Sign out
      </button>
      {isCanceled && <p>Canceled</p>}
    </>
  );
}

const HOSTILE = [
  '<img src=x onerror="window.hit = 1"><a href="javascript:window.hit = 1">link</a>',
  "<svg><script>window.hit = 1</script></svg><iframe srcdoc='<script>top.hit = 1</script>'></iframe>text",
  `${"<blockquote>".repeat(500)}deep`,
];

/** States of a thread and a composer, which call no service, by the names of their stories. */
export const THREADS_AND_COMPOSERS: Readonly<Record<string, () => ReactElement>> = {
  thread: () => show(annotation(COMMENTS)),
  resolved: () =>
    show(
      annotation(COMMENTS.slice(0, 2), {
        status: { id: "RESOLVED", name: "Resolved", type: "terminal", color: "#2f9e44", lightColor: "#ebfbee" },
      }),
    ),
  "read-only": () => show(annotation(COMMENTS), { isReadOnly: true }),
  many: () => show(annotation(MANY)),
  "long-names": () =>
    show(
      annotation([
        comment(90, LONG, `${"Donaudampfschifffahrtsgesellschaftskapitän".repeat(4)} and words.`, {
          reactionAnnotations: reactions({ "thumbs up": [LONG], "👩‍👩‍👧‍👦": [LONG, ADA], "🏳️‍🌈": [ADA] }),
          attachments: [{ attachmentId: 1, name: `${"annual-report-".repeat(12)}.xlsx`, size: 99_999_999_999 }],
        }),
      ]),
    ),
  arabic: () =>
    show(
      annotation([
        comment(
          90,
          { userId: "layla", name: "ليلى حداد" },
          "هل يجب أن تكون المهلة ثلاثين يومًا؟ راجع https://example.com",
        ),
        comment(97, GRACE, "Yes, thirty days."),
      ]),
    ),
  quote: () => show(annotation(COMMENTS.slice(2), { anchor: { selector: "p", quote: QUOTE } })),
  detached: () =>
    show(annotation(COMMENTS.slice(2), { anchor: { selector: "p", quote: QUOTE }, anchorState: "detached" })),
  recorder: () => <Recorder />,
  "composer-read-only": () => <Composer onSubmit={nothing} isReadOnly initial={{ text: "This stays as it is." }} />,
  hostile: () =>
    show(
      annotation(
        HOSTILE.map((commentHtml, index) =>
          comment(index + 1, GRACE, "javascript:window.hit=1 https://example.com/a_(b). @(.*", {
            commentHtml,
            taggedUserContacts: [{ userId: "x", text: "@(.*" }],
          }),
        ).concat(
          comment(4, GRACE, "See https://example.com/a_(b). Not javascript:window.hit=1, @(.* <b>bold</b>", {
            taggedUserContacts: [{ userId: "x", text: "@(.*" }],
            attachments: [{ attachmentId: 1, name: "a.html", mimeType: "image/png", url: "javascript:window.hit = 1" }],
          }),
        ),
      ),
    ),
  pending: () => show(annotation([...COMMENTS.slice(2), comment(-1, ADA, "Then I will sign it.")])),
  empty: () => show(annotation([])),
  errors: () => show(annotation(COMMENTS.slice(2)), { threads: FAILING }),
  composer: () => <Composer onSubmit={nothing} upload={upload} placeholder="Add a comment…" />,
  disabled: () => <Composer onSubmit={nothing} isDisabled placeholder="Comments are closed." />,
};
