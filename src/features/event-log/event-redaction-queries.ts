import { bigint, bigints, integer, sql, texts, unprepared, uuid } from "../../database/sql.ts";
import { existedAt } from "../purge/purge-queries.ts";
import type { MentioningRecords, UserDeletion } from "../purge/user-data-kind.ts";
import { mayMention } from "../purge/user-purge-queries.ts";
import type { InTransaction, StoredOrganization } from "../tenancy/organization-scope.ts";

const SCANNED_EVENTS = 1_000;

/** Condition of the index events_texts. */
const HAS_TEXTS = sql`(details is not null or access_fields is not null)`;
/** The JSON text of what may name users in an event of others: the texts of a status, and pairs of users. */
const TEXT = sql`json_build_object('details', details, 'accessFields', access_fields)::text`;

export const NAMING_EVENTS: MentioningRecords = {
  ...{ table: "events", key: ["position"], writtenAt: "created_at", hasBytes: false },
  condition: HAS_TEXTS,
  text: TEXT,
};

interface EventText {
  position: number;
  text: string;
}

/** Returns the next events that may mention the users and, if there is more, the position of the last one scanned. */
export async function scanEvents(
  scope: StoredOrganization,
  { accepted, mentions }: UserDeletion,
  after: number,
): Promise<{ events: EventText[]; next: number | undefined }> {
  const rows = await scope.run(
    unprepared(
      sql<{ position: number; text: string | null }>`select position,
          case when ${mayMention(sql`text`, mentions.patterns)} then text end as text
        from (
          select position, ${TEXT} as text from events
          where organization_key = ${uuid(scope.key)} and ${HAS_TEXTS} and position > ${bigint(after)}
            and ${existedAt(NAMING_EVENTS, accepted)}
          order by position limit ${integer(SCANNED_EVENTS)}
        ) as scanned order by position`,
    ),
  );
  const events = rows.flatMap(({ position, text }) => (text === null ? [] : [{ position, text }]));
  return { events, next: rows.length < SCANNED_EVENTS ? undefined : rows.at(-1)?.position };
}

/** Returns the events as they are now, and locks them in key order. */
export function lockEvents(scope: InTransaction<StoredOrganization>, positions: number[]): Promise<EventText[]> {
  return scope.run(
    sql<EventText>`select position, ${TEXT} as text from events
      where organization_key = ${uuid(scope.key)} and position = any(${bigints(positions)})
      order by position for update`,
  );
}

/** Replaces the texts of locked events. */
export async function replaceEventTexts(scope: StoredOrganization, events: EventText[]): Promise<void> {
  const parsed = events.map(({ text }): { details?: unknown; accessFields?: unknown } => JSON.parse(text));
  const toTexts = (values: unknown[]) => texts(values.map((value) => (value ? JSON.stringify(value) : null)));
  await scope.run(
    unprepared(
      sql`update events set details = input.details::json, access_fields = input.access_fields::jsonb
        from unnest(
          ${bigints(events.map(({ position }) => position))},
          ${toTexts(parsed.map(({ details }) => details))},
          ${toTexts(parsed.map(({ accessFields }) => accessFields))}
        ) as input (position, details, access_fields)
        where events.organization_key = ${uuid(scope.key)} and events.position = input.position`,
    ),
  );
}
