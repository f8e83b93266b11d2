/** A ready notification that waits in the windows of its recipient. Times are in milliseconds since the epoch. */
export interface ReadyNotification {
  id: string;
  /** Event that it is about. The changes of one update are one event. */
  eventId: string;
  userId: string;
  documentId: string;
  readyAt: number;
  dueAt: number;
  /** Whether the window that ends at `dueAt` is that of the user, not that of the document. */
  isUserDue: boolean;
  /** Number of events that fill the window; null without such a window. */
  documentMax: number | null;
  userMax: number | null;
}

/**
 * Returns the batches that are to be delivered at `now`, each of one recipient and document. A window is full with the
 * smallest number that its notifications have; more events fill the next windows. A notification without windows is
 * a batch of its own.
 */
export function groupIntoDigests<Row extends ReadyNotification>(ready: Row[], now: number): Row[][] {
  const inOrder = ready.toSorted((a, b) => a.readyAt - b.readyAt || (a.id < b.id ? -1 : 1));
  const isSingle = ({ documentMax, userMax }: Row) => documentMax === null && userMax === null;
  const single = inOrder.filter(isSingle);
  const waiting = inOrder.filter((row) => !isSingle(row));
  const batches = [...Map.groupBy(waiting, ({ userId }) => userId).values()].flatMap((rows) =>
    getUserBatches(rows, now),
  );
  return [...single.map((row) => [row]), ...batches];
}

function getUserBatches<Row extends ReadyNotification>(ready: Row[], now: number): Row[][] {
  const left = new Set(ready);
  const take = (rows: Row[]): Row[][] => {
    for (const row of rows) left.delete(row);
    return byDocument(rows);
  };
  const documentBatches = byDocument(ready).flatMap((rows) => fullWindows(rows, "documentMax").flatMap(take));
  const userBatches = fullWindows([...left], "userMax").flatMap(take);
  const due = [...left].filter(({ dueAt }) => dueAt <= now);
  const dueDocuments = new Set(due.map(({ documentId }) => documentId));
  const isUserDue = due.some((row) => row.isUserDue);
  const ended = take([...left].filter(({ documentId }) => isUserDue || dueDocuments.has(documentId)));
  return [...documentBatches, ...userBatches, ...ended];
}

/** Returns the oldest rows in parts that each fill a window, and that have all rows of an event. */
function fullWindows<Row extends ReadyNotification>(rows: Row[], limit: "documentMax" | "userMax"): Row[][] {
  const windowed = rows.filter((row) => row[limit] !== null);
  const size = Math.min(...windowed.map((row) => row[limit] ?? Number.POSITIVE_INFINITY));
  const events = [...Map.groupBy(windowed, ({ eventId }) => eventId).values()];
  const windows: Row[][] = [];
  for (let from = 0; from + size <= events.length; from += size) windows.push(events.slice(from, from + size).flat());
  return windows;
}

function byDocument<Row extends ReadyNotification>(rows: Row[]): Row[][] {
  return [...Map.groupBy(rows, ({ documentId }) => documentId).values()];
}
