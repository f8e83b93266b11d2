import type { Scenario, SeedCall } from "./scenario.ts";

const DOCUMENTS = 100;
const USERS_PER_DOCUMENT = 50;

/** Reading the 50 users of a document. */
export const userScenarios: Scenario[] = [
  {
    name: "users/get",
    path: "/v2/users/get",
    requests: documents().map((documentId) => ({ organizationId: "bench", documentId })),
    targetRatio: 0.8,
    seed: () => documents().map((documentId) => getUsers(documentId)),
    floor: {
      setup: `
        create table users (
          organization_id text not null,
          user_id text not null,
          record jsonb not null,
          primary key (organization_id, user_id)
        );
        create table document_users (
          organization_id text not null,
          document_id text not null,
          user_id text not null,
          primary key (organization_id, document_id, user_id)
        );
        insert into document_users
        select 'bench', 'document-' || document, 'document-' || document || '-user-' || number
        from generate_series(0, ${DOCUMENTS - 1}) as document, generate_series(0, ${USERS_PER_DOCUMENT - 1}) as number;
        insert into users select organization_id, user_id, jsonb_build_object('userId', user_id,
          'name', 'Ada Lovelace', 'email', 'ada@example.com', 'accessRole', 'editor') from document_users`,
      statement: `select record from document_users join users using (organization_id, user_id)
        where organization_id = $1 and document_id = $2 order by user_id`,
      values: ({ organizationId, documentId }) => [organizationId, documentId],
    },
  },
];

function documents(): string[] {
  return Array.from({ length: DOCUMENTS }, (_, number) => `document-${number}`);
}

function getUsers(documentId: string): SeedCall {
  const users = Array.from({ length: USERS_PER_DOCUMENT }, (_, number) => ({
    userId: `${documentId}-user-${number}`,
    name: "Ada Lovelace",
    email: "ada@example.com",
    accessRole: "editor" as const,
  }));
  return { path: "/v2/users/add", data: { organizationId: "bench", documentId, users } };
}
