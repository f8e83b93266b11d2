import type { Visitor } from "./visitor.ts";

const MAX_STOPS = 300;

/**
 * Marks the focused element. Returns whether the walk goes on: the focus is on a new element, or still on the last one,
 * whose parts are tab stops, as those of a time.
 */
const MARK = `(() => {
  const focused = document.activeElement;
  const last = document.querySelector("[data-reached=last]");
  if (focused === document.body || ("reached" in focused.dataset && focused !== last)) return false;
  if (last) last.dataset.reached = "";
  focused.dataset.reached = "last";
  return true;
})()`;

/**
 * Returns the HTML of the controls that neither Tab nor arrow keys reach, and of rows with more than one tab stop.
 * Arrow keys move in a row that opens as a whole, and in groups such as tabs, of which one element is a tab stop.
 */
const UNREACHED = `(() => {
  const isReached = (element) => "reached" in element.dataset;
  const controls = [...document.querySelectorAll("main :is(a[href], button, input, select, textarea)")]
    .filter((control) => !control.disabled && control.checkVisibility({ visibilityProperty: true }));
  const rows = [...document.querySelectorAll("main :is(li, tr):has([data-opens])")];
  const groups = ":is(li, tr):has([data-opens]), [role=tablist], [role=radiogroup], [role=tree], [role=group]";
  const isInReachedGroup = (control) => control.closest(groups)?.querySelector("[data-reached]");
  const unreached = controls.filter((control) => !isReached(control) && !isInReachedGroup(control));
  const crowded = rows.filter((row) => [...row.querySelectorAll("[data-reached]")].length > 1);
  for (const element of document.querySelectorAll("[data-reached]")) delete element.dataset.reached;
  return [...unreached, ...crowded].map(({ outerHTML }) => outerHTML);
})()`;

/** Walks through the whole page by Tab, and returns what the keyboard does not reach as it should, as HTML. */
export async function walkByKeyboard(visitor: Visitor): Promise<string[]> {
  const { page } = visitor;
  await visitor.focusStart();
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    await page.keyboard.press("Tab");
    if (!(await page.evaluate<boolean>(MARK))) return page.evaluate<string[]>(UNREACHED);
  }
  throw new Error("The walk does not end.");
}
