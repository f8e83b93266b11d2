import type { Locator } from "playwright-core";

/** Selects an entry of the menu of the first comment in an element. */
export async function selectAction(element: Locator, name: string): Promise<void> {
  await element
    .getByRole("button", { name: /^Actions/ })
    .first()
    .press("Enter");
  await element.getByRole("menuitem", { name, exact: true }).press("Enter");
}

/** Deletes the first comment in an element, and confirms it. */
export async function removeComment(element: Locator): Promise<void> {
  await selectAction(element, "Delete");
  await element.page().getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
}
