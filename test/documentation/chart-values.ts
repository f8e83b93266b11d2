import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from "yaml";

/** Returns a table of the chart's values. A map with a comment is one value. Throws if a value has no comment. */
export function chartValuesTable(text: string): string {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) throw new Error("The values of the chart must be a map.");
  return ["| value | default | meaning |", "| --- | --- | --- |", ...getRows(contents, "")].join("\n");
}

function getRows(map: YAMLMap, prefix: string): string[] {
  return map.items.flatMap(({ key, value }: Pair, index) => {
    if (!isScalar(key)) throw new Error(`A key in ${prefix || "the values"} is not a name.`);
    const name = `${prefix}${key.value}`;
    // The comment of the first key belongs to its map.
    const text = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined);
    const comment = text?.replace(/\s+/g, " ").trim();
    if (isMap(value) && value.items.length > 0 && comment === undefined) return getRows(value, `${name}.`);
    if (!comment) throw new Error(`The value ${name} of the chart has no comment that says what it means.`);
    const isNested = isMap(value) && value.items.length > 0;
    return [`| \`${name}\` | ${isNested ? "in [values.yaml](values.yaml)" : getDefault(value)} | ${comment} |`];
  });
}

function getDefault(value: unknown): string {
  const json = isScalar(value) ? value.value : isMap(value) ? {} : [];
  return json === "" ? "" : `\`${typeof json === "string" ? json : JSON.stringify(json)}\``;
}
