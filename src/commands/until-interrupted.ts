/** Runs work that ends early, and cleans up, when the process is interrupted or terminated. */
export async function untilInterrupted<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error("The command was interrupted."));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, interrupt);
  try {
    return await work(interruption.signal);
  } catch (error) {
    throw interruption.signal.aborted ? interruption.signal.reason : error;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, interrupt);
  }
}
