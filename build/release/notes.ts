import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };

const { homepage } = packageJson;

/** Files that name the version of a release. */
const VERSIONED = ["package.json", "packages/*/package.json", "deploy/helm/colloquy/Chart.yaml"];

/**
 * Returns the notes of the version that the tag names: its section of the changelog. Throws if the section is missing
 * or has no date, or if a file names another version.
 */
export function readNotes(tag: string, root: string): string {
  const version = tag.replace(/^v/, "");
  for (const path of globSync(VERSIONED, { cwd: root })) {
    const text = readFileSync(join(root, path), "utf8");
    const versions = [...text.matchAll(/^(?: {2}"version"|version|appVersion): "?([^",\s]+)/gm)];
    const other = versions.find(([, found]) => found !== version);
    if (other) throw new Error(`${path} has the version ${other[1]}, and the tag is ${tag}.`);
  }
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version},`)) ?? "";
  const [, date, notes] = /^[^,]+, (.+)\n([\s\S]*)$/.exec(section) ?? [];
  if (!notes) throw new Error(`CHANGELOG.md has no section "## ${version}, <date>".`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date ?? ""))
    throw new Error(`CHANGELOG.md says of ${version}: ${date}. Write the date.`);
  return notes.trim().replaceAll(/\]\((?!https?:)/g, `](${homepage}/blob/${tag}/`);
}

const [, , tag] = process.argv;
if (import.meta.main && tag) console.log(readNotes(tag, join(import.meta.dirname, "../..")));
