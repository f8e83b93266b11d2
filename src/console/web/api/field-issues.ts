import { CONTROL_CHARACTERS } from "../components/text-issue.ts";
import { ApiError } from "./api-error.ts";

interface FieldIssues {
  /** Returns what is wrong with the field at a path of the request, as a sentence. */
  at(path: string): string | undefined;
  /** The error, unless the fields tell all of it. */
  rest: Error | undefined;
}

/** Distributes an error of a form among the fields at these paths of its request, such as `data.userId`. */
export function fieldIssues(error: Error | null, paths: string[]): FieldIssues {
  const details = error instanceof ApiError ? error.details : undefined;
  const issues = details?.reason === "field_invalid" ? details.issues : [];
  const isToldByFields = issues.length > 0 && issues.every(({ path }) => paths.includes(path));
  return {
    at(path) {
      const message = issues.find((issue) => issue.path === path)?.message;
      if (message?.startsWith("must be at most 256 UTF-16 units")) return CONTROL_CHARACTERS;
      return message && `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
    },
    rest: isToldByFields ? undefined : (error ?? undefined),
  };
}
