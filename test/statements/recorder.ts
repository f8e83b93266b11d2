import { subscribe } from "node:diagnostics_channel";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { STATEMENTS } from "../../src/database/database.ts";
import type { Query } from "../../src/database/statement.ts";
import { brokenRules, mentionsPlanned, RULES } from "./rules.ts";

/** Statements to which the rules do not apply, by a part of their text as it is in src/, each with the reason. */
export const EXEMPT: readonly { part: string; reason: string }[] = [
  {
    part: "from activities where created_at >=",
    reason: "a page of the activities of many organizations, for which few activities of all organizations are read",
  },
  {
    part: "max(newest.sequence) as stored from organizations",
    reason: "the newest numbers of all organizations, which doctor compares with the sequences",
  },
  {
    part: "as key from organizations",
    reason: "the expiry of activities and notifications, which looks at the next organizations every ten minutes",
  },
  {
    part: "from files group by 1",
    reason: "the metrics of files, which read the numbers of all organizations every five minutes",
  },
  {
    part: "as bytes from organizations join files",
    reason: "the limit of a workspace's files, if an operator sets it",
  },
  {
    part: "size, checksum from files",
    reason: "a restore and `colloquy files check`, which read the files of all organizations",
  },
  {
    part: "from presence where active_hour <",
    reason: "the expiry of presence, which reads the expired entries of all organizations every ten minutes",
  },
  {
    part: "from presence_connections where process_id =",
    reason: "the end of a process, after which the connections that it had in all organizations are deleted",
  },
  {
    part: "from removed_token_grants where removed_at <",
    reason: "the expiry of removals, which reads the old ones of all organizations every ten minutes",
  },
  {
    part: "from document_migrations where ended_at <",
    reason: "the expiry of the statuses of migrations, which reads the old ones of all organizations every ten minutes",
  },
  {
    part: "from events where created_at <",
    reason: "the expiry of events, which reads the old ones of all organizations every ten minutes",
  },
  {
    part: "from crdt_unreported_changes where since <=",
    reason: "the reporter of collaborative documents, which looks each second for changes of all organizations",
  },
  {
    part: "from crdt_edits where (due_at <=",
    reason: "the timer of automatic versions, which looks every ten seconds for documents of all organizations",
  },
  {
    part: "from crdt_versions where expires_at <=",
    reason: "the expiry of automatic versions, which reads the expired ones of all organizations every ten minutes",
  },
  {
    part: "webhook_messages where target >",
    reason: "the worker of webhooks, which looks each second for messages of all organizations that are due",
  },
  {
    part: "webhook_messages where target =",
    reason: "the worker of webhooks, which reads the messages of one webhook of all organizations",
  },
  {
    part: "from mail_deliveries where created_at <",
    reason: "the expiry of the delivery log, which reads the old mails of all organizations every ten minutes",
  },
  {
    part: "webhook_messages where created_at <",
    reason: "the expiry of messages to webhooks, which reads the old ones of all organizations every ten minutes",
  },
  {
    part: "update webhook_messages set next_at =",
    reason: "the expiry of messages to webhooks, which looks every ten minutes for times of a clock that was ahead",
  },
  {
    part: "webhook_messages where target is not null group by target",
    reason: "the expiry of messages to webhooks, which counts those of each webhook every ten minutes",
  },
  {
    part: "left join webhook_dispatches",
    reason: "the worker of webhooks, which looks each second for events without messages of all organizations",
  },
  ...["select max(newest.at) as at", "select max(created_at) as at from"].map((part) => ({
    part,
    reason: "a restore or doctor, which compares the newest times of all organizations with the clock",
  })),
  ...[
    '"organizationKey", id from mails',
    "select organization_key, due_at from delayed_notifications",
    "from document_purges group by",
    "from document_migrations where ended_at is null order by",
    "from organizations where deleted_at is not null",
  ].map((part) => ({ part, reason: "a restore, which looks once for the pending work of all organizations" })),
];

const ROOT = new URL("../..", import.meta.url).pathname;
const STACK_FRAMES = 30;
/** Path of a file in the frame of a stack, without the folder of the project. */
const FRAME = /\/((?:src|test|bench)\/[\w./-]+\.ts)(?:\?[^:]*)?:\d+/;
const SENDING = /^src\/database\/(?!.*\.test)/;

/** Stands for the file of a test, whose own statements are not checked. */
const TEST = "test";

interface Recorded {
  text: string;
  /** Undefined if the statement waited for others of its kind, so that its sender is unknown. */
  file: string | undefined;
}

const seen = new Set<string>();
let recorded: Recorded[] = [];

/** Records each different statement of src/ that any database of this process runs. */
subscribe(STATEMENTS, (message) => {
  const { text } = asQuery(message);
  if (seen.has(text) || !mentionsPlanned(text)) return;
  const file = sender();
  if (file === TEST) return;
  seen.add(text);
  recorded.push({ text, file });
});

/** Casts a message of the channel; holds because database.ts sends nothing else. */
export function asQuery(message: unknown): Query {
  return message as Query;
}

/** Returns the file whose function runs a statement now. */
function sender(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = STACK_FRAMES;
  const frames = new Error().stack?.split("\n") ?? [];
  Error.stackTraceLimit = limit;
  const files = frames.flatMap((frame) => FRAME.exec(frame)?.[1] ?? []);
  const file = files.find((path) => path !== "test/statements/recorder.ts" && !SENDING.test(path));
  return file === undefined || (file.startsWith("src/") && !file.endsWith(".test.ts")) ? file : TEST;
}

/** Returns what is wrong with the statements recorded since the last call, a text for each. */
export async function findRejected(): Promise<string[]> {
  const found = recorded;
  recorded = [];
  const rejected: string[] = [];
  for (const { text, file } of found) {
    if (EXEMPT.some(({ part }) => text.includes(part))) continue;
    for (const rule of await brokenRules(text)) {
      const place = file ?? findFile(text);
      rejected.push(`Citus would reject a statement of ${place}: ${RULES[rule]} (rule "${rule}").\n${text}`);
    }
  }
  return rejected;
}

/** Returns the file that has most lines of a statement. */
function findFile(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const files = globSync("src/**/*-queries.ts", { cwd: ROOT }).map((file) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    return { file, count: lines.filter((line) => source.includes(line)).length };
  });
  return files.reduce((best, other) => (other.count > best.count ? other : best), { file: "src", count: 0 }).file;
}
