/** Maximum number of typing errors for which a name is suggested. */
const MAX_TYPING_ERRORS = 2;
/** Maximum number of typing errors in a name of less than six characters. */
const MAX_IN_SHORT_NAMES = 1;

/** Returns the known name with the fewest typing errors, if there are few. Upper and lower case do not matter. */
export function similarName(name: string, known: string[]): string | undefined {
  const most = name.length < 6 ? MAX_IN_SHORT_NAMES : MAX_TYPING_ERRORS;
  const candidates = known
    .filter((candidate) => Math.abs(candidate.length - name.length) <= most)
    .map((candidate) => ({ candidate, errors: typingErrors(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ errors }) => errors <= most);
  return candidates.sort((one, other) => one.errors - other.errors)[0]?.candidate;
}

/** Returns the edit distance in which swapping two neighbors is one step (optimal string alignment). */
function typingErrors(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isEqual ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, next];
  }
  return at(last, other.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}
