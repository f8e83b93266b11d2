/** Returns what was thrown if it is an Error, or an Error that says what it was. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown ?? "An unknown error"), { cause: thrown });
}
