import type { Api } from "../src/operations.ts";
import type { Scenario, SeedCall } from "./scenario.ts";

const PRESENT_USERS = 10_000;
const USERS_PER_CALL = 1_000;
const USERS_PER_DOCUMENT = 50;
const DOCUMENTS = 100;

const presenceTable = `
  create table presence (
    organization_id text not null,
    document_id text not null,
    user_id text not null,
    name text,
    email text,
    status text not null,
    last_active timestamptz not null default clock_timestamp(),
    primary key (organization_id, document_id, user_id)
  );
`;

function filledTable(documents: number, users: number): string {
  return `${presenceTable}
    insert into presence (organization_id, document_id, user_id, name, email, status)
    select 'bench', 'document-' || document, 'user-' || number, 'Ada Lovelace', 'ada@example.com', 'online'
    from generate_series(0, ${documents - 1}) as document, generate_series(0, ${users - 1}) as number`;
}

/** Heartbeats of 10,000 users of one document, and reading the 50 users of a document. */
export const presenceScenarios: Scenario[] = [
  {
    name: "presence/update",
    path: "/v2/presence/update",
    requests: users(PRESENT_USERS).map((user) => ({
      organizationId: "bench",
      documentId: "document-0",
      users: [user],
    })),
    targetRatio: 0.8,
    seed: () => heartbeats("document-0", PRESENT_USERS),
    floor: {
      setup: filledTable(1, PRESENT_USERS),
      statement: `insert into presence (organization_id, document_id, user_id, name, email, status)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (organization_id, document_id, user_id) do update set
          name = excluded.name, email = excluded.email, status = excluded.status, last_active = excluded.last_active`,
      values: ({ organizationId, documentId, users: [user] }) => [
        ...[organizationId, documentId, user?.userId, user?.name, user?.email, user?.status],
      ],
    },
  },
  {
    name: "presence/get",
    path: "/v2/presence/get",
    requests: documents().map((documentId) => ({ organizationId: "bench", documentId })),
    targetRatio: 0.8,
    seed: () => documents().flatMap((documentId) => heartbeats(documentId, USERS_PER_DOCUMENT)),
    floor: {
      setup: filledTable(DOCUMENTS, USERS_PER_DOCUMENT),
      statement: `select user_id as "userId", name, email, status, last_active as "lastActive" from presence
        where organization_id = $1 and document_id = $2 and last_active > now() - interval '24 hours'
        order by user_id`,
      values: ({ organizationId, documentId }) => [organizationId, documentId],
    },
  },
];

function heartbeats(documentId: string, count: number): SeedCall[] {
  const all = users(count);
  return Array.from({ length: Math.ceil(count / USERS_PER_CALL) }, (_, index) => ({
    path: "/v2/presence/update",
    data: {
      organizationId: "bench",
      documentId,
      users: all.slice(index * USERS_PER_CALL, (index + 1) * USERS_PER_CALL),
    },
  }));
}

function users(count: number): Api["/v2/presence/update"]["request"]["users"] {
  return Array.from({ length: count }, (_, number) => ({
    userId: `user-${number}`,
    name: "Ada Lovelace",
    email: "ada@example.com",
    status: "online",
  }));
}

function documents(): string[] {
  return Array.from({ length: DOCUMENTS }, (_, number) => `document-${number}`);
}
