import type { Api } from "../src/operations.ts";
import type { Scenario } from "./scenario.ts";

const PAGE = 50;
const DOCUMENTS = 30;

/** Reading the newest 50 of a short and of a long inbox, and a user's preferences for 30 documents. */
export const notificationScenarios: Scenario[] = [
  inboxScenario(100, "100"),
  inboxScenario(1_000_000, "1,000,000"),
  {
    name: "notifications/config/get",
    path: "/v2/notifications/config/get",
    requests: users().map((userId) => ({ organizationId: "bench", documentIds: documents(), userId })),
    targetRatio: 0.8,
    seed: () =>
      [undefined, documents()].map((documentIds) => ({
        path: "/v2/notifications/config/set",
        data: { organizationId: "bench", userIds: users(), documentIds, config: { inbox: "MINE", email: "NONE" } },
      })),
    floor: {
      setup: `
        create table notification_configs (
          organization_id text not null,
          user_id text not null,
          document_id text not null,
          inbox text not null,
          email text not null,
          primary key (organization_id, user_id, document_id)
        );
        insert into notification_configs
        select 'bench', 'user-' || number, 'document-' || document, 'MINE', 'NONE'
        from generate_series(0, ${DOCUMENTS - 1}) as document, generate_series(0, 999) as number`,
      statement: `select user_id, document_id, inbox, email from notification_configs
        where organization_id = $1 and user_id = $2 and document_id = any($3)`,
      values: ({ organizationId, userId, documentIds }) => [organizationId, userId, documentIds],
    },
  },
];

function inboxScenario(count: number, title: string): Scenario {
  return {
    name: `notifications/get among ${title}`,
    path: "/v2/notifications/get",
    requests: [{ organizationId: "bench", userId: "grace", pageSize: PAGE }],
    targetRatio: 0.8,
    seed: () => [
      { path: "/v2/users/add", data: { organizationId: "bench", users: [{ userId: "grace", accessRole: "editor" }] } },
      { path: "/v2/notifications/add", data: { organizationId: "bench", ...notification() } },
    ],
    seedStatements: `
      insert into notifications
      select organization_key, id || number, document_id, location_id, user_id, created_at + number,
        nextval('notification_sequence'), record, record_bytes
      from notifications, generate_series(2, ${count}) as number;
      insert into notification_recipients (organization_key, sequence, user_id, document_id, location_id, created_at)
      select organization_key, sequence, 'grace', document_id, location_id, created_at from notifications
      on conflict do nothing`,
    floor: {
      setup: `
        create table notifications (
          id bigint primary key generated always as identity,
          created_at timestamptz not null,
          record jsonb not null
        );
        create table recipients (
          organization_id text not null,
          user_id text not null,
          created_at timestamptz not null,
          notification_id bigint not null
        );
        insert into notifications (created_at, record)
        select now() + number * interval '1 ms', $record$${JSON.stringify(notification())}$record$
        from generate_series(1, ${count}) as number;
        insert into recipients select 'bench', 'grace', created_at, id from notifications;
        create index on recipients (organization_id, user_id, created_at)`,
      statement: `select record from recipients join notifications on id = notification_id
        where organization_id = $1 and user_id = $2 order by recipients.created_at desc limit ${PAGE}`,
      values: ({ organizationId, userId }) => [organizationId, userId],
    },
  };
}

/** Returns a record of about 600 bytes. */
function notification(): Omit<Api["/v2/notifications/add"]["request"], "organizationId"> {
  return {
    documentId: "document-0",
    notificationId: "notification",
    actionUser: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" },
    notifyUsers: [{ userId: "grace", name: "Grace Hopper", email: "grace@example.com" }],
    displayHeadlineMessageTemplate: "{actionUser} asks {recipientUser} to sign {document}",
    displayHeadlineMessageTemplateData: {
      actionUser: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" },
      recipientUser: { userId: "grace", name: "Grace Hopper", email: "grace@example.com" },
      document: "Contract",
    },
    displayBodyMessage: "By the end of the week, please.",
  };
}

function users(): string[] {
  return Array.from({ length: 1000 }, (_, number) => `user-${number}`);
}

function documents(): string[] {
  return Array.from({ length: DOCUMENTS }, (_, number) => `document-${number}`);
}
