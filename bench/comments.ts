import type { Api } from "../src/operations.ts";
import type { Scenario, SeedCall } from "./scenario.ts";

type AddComments = Api["/v2/commentannotations/comments/add"]["request"];
type NewAnnotation = Api["/v2/commentannotations/add"]["request"]["commentAnnotations"][number];

const DOCUMENTS = 50;
const ANNOTATIONS_PER_DOCUMENT = 50;
const COMMENTS_PER_ANNOTATION = 5;
const ANNOTATIONS = DOCUMENTS * ANNOTATIONS_PER_DOCUMENT;

const BOTH_TRIGGERS = { triggerActivities: true, triggerNotification: true };

const floorTables = `
  create table annotations (
    id bigint primary key,
    organization_id text not null,
    document_id text not null,
    created_at timestamptz not null default clock_timestamp(),
    record jsonb not null
  );
  create index on annotations (organization_id, document_id, created_at);
  insert into annotations (id, organization_id, document_id, record)
  select number, 'bench', 'document-' || number % ${DOCUMENTS}, $record$${JSON.stringify(returnedAnnotation())}$record$
  from generate_series(1, ${ANNOTATIONS}) as number;
  create table comments (
    annotation_id bigint not null,
    id bigint generated always as identity,
    record jsonb not null,
    primary key (annotation_id, id)
  );
  insert into comments (annotation_id, record)
  select annotation, $record$${JSON.stringify(returnedComment())}$record$
  from generate_series(1, ${COMMENTS_PER_ANNOTATION}) as number, generate_series(1, ${ANNOTATIONS}) as annotation;
`;

/** Reading the newest 50 annotations of a document, and adding a comment that notifies ten users. */
export const commentScenarios: Scenario[] = [
  {
    name: "commentannotations/get",
    path: "/v2/commentannotations/get",
    requests: documents().map((documentId) => ({
      organizationId: "bench",
      documentId,
      pageSize: ANNOTATIONS_PER_DOCUMENT,
    })),
    targetRatio: 1,
    seed,
    floor: {
      setup: floorTables,
      statement: `select record, (
          select json_agg(comments.record order by id) from comments where annotation_id = annotations.id
        ) as comments
        from annotations where organization_id = $1 and document_id = $2
        order by created_at desc limit ${ANNOTATIONS_PER_DOCUMENT}`,
      values: ({ organizationId, documentId }) => [organizationId, documentId],
    },
  },
  {
    name: "comments/add that notifies ten",
    path: "/v2/commentannotations/comments/add",
    requests: documents().map((documentId) => ({
      organizationId: "bench",
      documentId,
      annotationId: `${documentId}-0`,
      commentData: [{ ...comment(0), taggedUserContacts: tenTagged(), ...BOTH_TRIGGERS }],
    })),
    targetRatio: 0.5,
    seed: seedAnnotations,
    floor: {
      setup: `${floorTables}
        create table comment_users (
          annotation_id text not null,
          user_id text not null,
          is_mentioned boolean not null,
          primary key (annotation_id, user_id, is_mentioned)
        );
        create table comment_reads (
          annotation_id text not null,
          user_id text not null,
          read_at timestamptz not null default clock_timestamp(),
          primary key (annotation_id, user_id)
        );
        create table activities (
          id uuid primary key default gen_random_uuid(),
          organization_id text not null,
          document_id text not null,
          created_at timestamptz not null default clock_timestamp(),
          record jsonb not null
        );
        create index on activities (organization_id, document_id, created_at);
        create table notifications (
          id bigint primary key generated always as identity,
          organization_id text not null,
          document_id text not null,
          created_at timestamptz not null default clock_timestamp(),
          record jsonb not null
        );
        create index on notifications (organization_id, document_id, created_at);
        create table recipients (
          organization_id text not null,
          user_id text not null,
          created_at timestamptz not null default clock_timestamp(),
          notification_id bigint not null,
          primary key (notification_id, user_id)
        );
        create index on recipients (organization_id, user_id, created_at)`,
      transaction: [
        {
          statement: `insert into comments (annotation_id, record) select id, $3::jsonb from annotations
            where organization_id = $1 and document_id = $2 order by created_at limit 1 returning id`,
          values: documentAndComment,
        },
        {
          statement: `insert into comment_users (annotation_id, user_id, is_mentioned)
            select $1, $2, false union all select $1, unnest($3::text[]), true
            on conflict do nothing`,
          values: ({ annotationId }) => [annotationId, "user-0", tenTagged().map(({ userId }) => userId)],
        },
        {
          statement: `insert into comment_reads (annotation_id, user_id) values ($1, $2)
            on conflict (annotation_id, user_id) do update set read_at = excluded.read_at`,
          values: ({ annotationId }) => [annotationId, "user-0"],
        },
        {
          statement: "insert into activities (organization_id, document_id, record) values ($1, $2, $3)",
          values: documentAndComment,
        },
        {
          statement: "insert into notifications (organization_id, document_id, record) values ($1, $2, $3)",
          values: documentAndComment,
        },
        {
          statement: `insert into recipients (organization_id, user_id, notification_id)
            select $1, unnest($2::text[]), currval('notifications_id_seq')`,
          values: ({ organizationId }) => [organizationId, tenTagged().map(({ userId }) => userId)],
        },
      ],
    },
  },
];

function documentAndComment({ organizationId, documentId, commentData }: AddComments): string[] {
  return [organizationId, documentId, JSON.stringify(commentData?.[0])];
}

function tenTagged(): { text: string; userId: string }[] {
  return Array.from({ length: 10 }, (_, number) => ({ text: `@Grace ${number}`, userId: `grace-${number}` }));
}

/** Returns calls that add one comment to every annotation at a time, so that an annotation's rows are not adjacent. */
function seed(): SeedCall[] {
  const laterComments = Array.from({ length: COMMENTS_PER_ANNOTATION - 1 }, () =>
    documents().flatMap((documentId) =>
      Array.from(
        { length: ANNOTATIONS_PER_DOCUMENT },
        (_, number): SeedCall => ({
          path: "/v2/commentannotations/comments/add",
          data: {
            organizationId: "bench",
            documentId,
            annotationId: `${documentId}-${number}`,
            commentData: [comment(number)],
          },
        }),
      ),
    ),
  );
  return [...seedAnnotations(), ...laterComments.flat()];
}

function seedAnnotations(): SeedCall[] {
  return documents().map((documentId) => ({
    path: "/v2/commentannotations/add",
    data: {
      organizationId: "bench",
      documentId,
      commentAnnotations: Array.from({ length: ANNOTATIONS_PER_DOCUMENT }, (_, number) => ({
        annotationId: `${documentId}-${number}`,
        ...annotation(number),
        commentData: [comment(number)],
      })),
    },
  }));
}

function documents(): string[] {
  return Array.from({ length: DOCUMENTS }, (_, number) => `document-${number}`);
}

function annotation(number: number): Omit<NewAnnotation, "commentData"> {
  return {
    location: { id: `page-${number % 20}`, locationName: `Page ${number % 20}` },
    targetElement: { elementId: `clause-${number}`, selector: "main > section:nth-child(3) > p" },
    priority: { id: "P1", name: "Medium" },
    assignedTo: { userId: `user-${number}`, name: "Ada Lovelace", email: "ada@example.com" },
  };
}

/** Returns an annotation with the fields that the service adds, so that the floor responds with as many bytes. */
function returnedAnnotation(): object {
  return {
    createdAt: 1_795_233_659_333,
    lastUpdated: 1_795_233_659_333,
    annotationNumber: 1,
    annotationIndex: 1,
    sourceType: "rest-api",
    visibilityConfig: { type: "public" },
    hasDraftComments: false,
    annotationId: "document-0-0",
    type: "comment",
    commentType: "manual",
    from: { userId: "user-0", name: "Ada Lovelace", email: "ada@example.com" },
    ...annotation(0),
    status: { id: "OPEN", name: "Open", type: "default", color: "#1971c2", lightColor: "#e7f5ff" },
    metadata: { apiKey: "bench-api-key", documentId: "document-0", organizationId: "bench" },
  };
}

function returnedComment(): object {
  return {
    commentId: 1,
    createdAt: 1_795_233_659_333,
    lastUpdated: "2026-11-21T04:00:59.333Z",
    type: "text",
    status: "added",
    isDraft: false,
    isCommentTextAvailable: true,
    attachments: [],
    reactions: [],
    reactionAnnotationIds: [],
    reactionAnnotations: [],
    ...comment(0),
  };
}

/** Returns a comment of about 350 bytes. */
function comment(number: number): NonNullable<AddComments["commentData"]>[number] {
  return {
    commentText: "We should say thirty days here, as in the other contracts with them, @Grace.",
    commentHtml: "<p>We should say thirty days here, as in the other contracts with them, <b>@Grace</b>.</p>",
    from: { userId: `user-${number % 10}`, name: "Ada Lovelace", email: "ada@example.com" },
    taggedUserContacts: [{ text: "@Grace", userId: "grace" }],
  };
}
