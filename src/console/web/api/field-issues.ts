import { CONTROL_CHARACTERS } from "../components/text-issue.ts";
import { ApiError } from "./api-error.ts";

interface FieldIssues {
  /** Returns what is wrong with the field at a path of the request, as a sentence. */
  at(path: string): string | undefined;
  /** The error, unless the fields show all of it. */
  rest: Error | undefined;
}

/**
 * Distributes an error of a form among the fields at these paths of its request, such as `data.userId`. The field of a
 * list at `data.channels` also shows what is wrong with an item, such as `data.channels[0]`.
 */
export function fieldIssues(error: Error | null, paths: string[]): FieldIssues {
  const details = error instanceof ApiError ? error.details : undefined;
  const issues = details?.reason === "field_invalid" ? details.issues : [];
  const isToldByFields = issues.length > 0 && issues.every((issue) => paths.some((path) => isAt(issue.path, path)));
  return {
    at(path) {
      const issue = issues.find((candidate) => isAt(candidate.path, path));
      if (!issue) return undefined;
      const item = getItem(issue.path, path);
      const sentence = getSentence(issue.message);
      return item === undefined ? sentence : `Item ${item + 1}: ${sentence}`;
    },
    rest: isToldByFields ? undefined : (error ?? undefined),
  };
}

function isAt(issuePath: string, path: string): boolean {
  return issuePath === path || getItem(issuePath, path) !== undefined;
}

/** Returns the index of an item in the list at a path; undefined if the issue is not about such an item. */
function getItem(issuePath: string, path: string): number | undefined {
  const index = issuePath.startsWith(path) ? /^\[(\d+)\]$/.exec(issuePath.slice(path.length))?.[1] : undefined;
  return index === undefined ? undefined : Number(index);
}

function getSentence(message: string): string {
  if (message.startsWith("must be at most 256 UTF-16 units")) return CONTROL_CHARACTERS;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
