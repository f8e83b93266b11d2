import { InvalidArgumentError } from "commander";
import { SCOPES, type Scope } from "../contract/scopes.ts";
import { isEmailAddress } from "../email/address.ts";
import { isName, isUuid } from "../features/workspaces/workspaces.ts";

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d+)([mhd])$/;
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

export const WORKSPACE_OPTION = "-w, --workspace <id or API key>";
export const WORKSPACE_HELP = "required if there are several workspaces";
export const JSON_OPTION = ["--json", "print JSON, for scripts"] as const;

/** The parsers throw InvalidArgumentError, which Commander reports as wrong usage. */
export function parseName(text: string): string {
  if (isName(text)) return text;
  throw new InvalidArgumentError("It must have 1 to 256 characters and no control characters.");
}

/** An unset variable of a shell is an empty path. */
export function parsePath(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("It is empty.");
}

export function parseEmail(text: string): string {
  if (isEmailAddress(text)) return text;
  throw new InvalidArgumentError("It must be an email address.");
}

export function parseTokenId(text: string): string {
  if (isUuid(text)) return text;
  throw new InvalidArgumentError("It must be an ID that `colloquy token list` prints.");
}

/** Parses a comma list of scopes. */
export function parseScopes(text: string): Scope[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => SCOPES.some((scope) => scope === name))) {
    return SCOPES.filter((scope) => names.includes(scope));
  }
  throw new InvalidArgumentError("It must be a comma list of read, write and admin.");
}

/** Parses a duration from now or a date into milliseconds since the epoch. A date without a time is midnight UTC. */
export function parseExpiry(text: string, now = Date.now()): number {
  const time = durationEnd(text, now) ?? dateStart(text);
  if (time === undefined || Number.isNaN(new Date(time).getTime())) {
    throw new InvalidArgumentError("It must be like 90d, 12h, 30m, 2030-01-31 or 2030-01-31T12:00:00Z.");
  }
  if (time <= now) throw new InvalidArgumentError("It must be in the future.");
  return time;
}

function durationEnd(text: string, now: number): number | undefined {
  const [, count, unit = ""] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : now + Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}

function dateStart(text: string): number | undefined {
  const day = ISO_TIME.exec(text)?.[1];
  // Date.parse reads February 30 as March 1 or 2.
  const start = new Date(`${day}T00:00:00Z`);
  if (day === undefined || Number.isNaN(start.getTime()) || !start.toISOString().startsWith(day)) return undefined;
  return Date.parse(text);
}
