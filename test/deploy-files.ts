import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import { parse as parseIni } from "ini";
import { parseAllDocuments } from "yaml";

const ROOT = join(import.meta.dirname, "..");

export function readProjectFile(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Paths of the files in deploy/ with this extension. */
export function deployFiles(extension: string): string[] {
  const names = readdirSync(join(ROOT, "deploy"), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(extension)).map((name) => `deploy/${name}`);
}

/** Parses a YAML file of one document. Throws on an error or a warning. The type holds as far as the tests compare. */
export function readYaml<Type>(path: string): Type {
  const [document, ...others] = parseAllDocuments(readProjectFile(path), { merge: true });
  if (!document || others.length > 0) throw new Error(`${path} must have one document`);
  const [error] = [...document.errors, ...document.warnings];
  if (error) throw error;
  return document.toJS();
}

/** The values of each key in a section of a unit, in their order. */
type Section = Record<string, string[]>;

/** Parses a unit of systemd, in which a key can be repeated. */
export function readUnit(path: string): Record<string, Section> {
  const sections = Object.entries(parseIni(readProjectFile(path), { bracketedArray: false }));
  return Object.fromEntries(
    sections.map(([name, section]) => [
      name,
      Object.fromEntries(Object.entries(Object(section)).map(([key, value]) => [key, [value].flat().map(String)])),
    ]),
  );
}

/** One instruction of a Dockerfile. */
export interface Instruction {
  keyword: string;
  words: string[];
  /** Items of a list such as `["node", "src/main.js"]`. */
  list: string[];
}

/** Parses a Dockerfile into the instructions of each stage. */
export function readStages(path: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const instruction of DockerfileParser.parse(readProjectFile(path)).getInstructions()) {
    const [keyword, text] = [instruction.getKeyword(), instruction.getArgumentsContent() ?? ""];
    if (keyword === "FROM") stages.push([]);
    const words = instruction.getArguments().map((argument) => argument.getValue());
    const list = /^(?:CMD )?(\[.*\])$/s.exec(text)?.[1];
    stages.at(-1)?.push({ keyword, words, list: list === undefined ? [] : JSON.parse(list) });
  }
  return stages;
}
