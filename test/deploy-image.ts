import { expect } from "vitest";
import { findConfigurationErrors, readConfig } from "../src/config/config.ts";
import { VARIABLES } from "../src/config/variables.ts";
import { type Instruction, readStages } from "./deploy-files.ts";

export const DEFAULT_PORT = readConfig({}).port;
/** Time within which the service ends after a signal. */
export const STOP_SECONDS = 10;
/** Variables that other programs read. */
const OTHERS = ["PATH", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "PGPASSWORD"];

export type Environment = Record<string, string>;

/** Expects variables that exist, with values that a start accepts. */
export function expectConfiguration(environment: Environment): void {
  const unknown = Object.keys(environment).filter((name) => !(name in VARIABLES) && !OTHERS.includes(name));
  expect(unknown).toEqual([]);
  expect(findConfigurationErrors(environment)).toEqual([]);
}

/** Splits `NAME=value` texts. */
export function getEnvironment(assignments: string[]): Environment {
  return Object.fromEntries(assignments.map((text) => [text.split("=", 1)[0], text.slice(text.indexOf("=") + 1)]));
}

export const stages = readStages("deploy/Dockerfile");

/** Returns the instructions with this keyword in the stage `image`, on which all images are based. */
export function findInstructions(keyword: string): Instruction[] {
  const image = stages.find(([from]) => from?.words.join(" ").endsWith(" AS image"));
  return image?.filter((instruction) => instruction.keyword === keyword) ?? [];
}

export const imageEnvironment = getEnvironment(findInstructions("ENV").flatMap(({ words }) => words));
