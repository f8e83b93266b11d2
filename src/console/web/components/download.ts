/** Hands a value to the browser as a JSON file. */
export function downloadJson(fileName: string, value: unknown): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  // Ids may hold what a file's name may not.
  link.download = `${fileName.replaceAll(/[^\w.@-]+/g, "-")}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
