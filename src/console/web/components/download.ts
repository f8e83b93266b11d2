/** Downloads a value as a JSON file. */
export function downloadJson(fileName: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  // IDs may contain characters that are invalid in file names.
  link.download = `${fileName.replaceAll(/[^\w.@-]+/g, "-")}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
