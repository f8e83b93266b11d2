import type { Command } from "commander";

export interface ShellCommand {
  /** Names of the variables that are set before the command. */
  assigned: string[];
  words: string[];
}

const ASSIGNMENT = /^([A-Z][A-Z\d_]*)=/;
/** Words that may precede a command; `$` is a prompt. */
const PREFIXES = new Set(["$", "env", "exec", "npx", "sudo", "time"]);
/** Ways to start the service's command line. */
const INVOCATIONS = [
  /^npm run (?:-\S+ )*colloquy\b(?: --(?= |$))?/,
  /^node (?:-\S+ )*src\/main\.js\b/,
  /^(?:[\w./-]+\/)?colloquy(?= |$)/,
];
/** The first word that is a placeholder or a redirection. The check ignores it and everything after it. */
const PLACEHOLDER_OR_REDIRECTION = /^(\[|<|\d?>|…|\.\.\.)/;

/** Splits code into shell commands. Other text becomes an unknown command. */
export function getShellCommands(code: string): ShellCommand[] {
  const lines = code.replace(/\\\n/g, " ").replace(/(^|\s)#.*$/gm, "$1");
  return lines.split(/&&|\|\||[;|\n]/).map((line) => {
    const words = line.split(/\s+/).filter(Boolean);
    const start = words.findIndex((word) => !ASSIGNMENT.test(word) && !PREFIXES.has(word));
    const before = start === -1 ? words : words.slice(0, start);
    const assigned = before.flatMap((word) => ASSIGNMENT.exec(word)?.[1] ?? []);
    return { assigned, words: start === -1 ? [] : words.slice(start) };
  });
}

/** Returns what is wrong with a call of `program`. Returns undefined for other commands. */
export function findCommandLineError(program: Command, words: string[]): string | undefined {
  const line = words.join(" ");
  const invocation = INVOCATIONS.find((pattern) => pattern.test(line));
  if (!invocation) return undefined;
  return findArgumentsError(program, line.replace(invocation, "").split(" ").filter(Boolean));
}

function findArgumentsError(command: Command, words: string[]): string | undefined {
  const [word, ...rest] = words;
  if (word === undefined || word === "help" || PLACEHOLDER_OR_REDIRECTION.test(word)) return undefined;
  if (["--", "--help", "-h"].includes(word)) return findArgumentsError(command, rest);
  if (word.startsWith("-")) {
    const [flag = "", value] = word.split("=");
    const option = command.options.find((one) => one.short === flag || one.long === flag);
    if (!option) return `\`${getName(command)}\` has no option ${flag}`;
    const takesNext = (option.required || option.optional) && value === undefined;
    return findArgumentsError(command, takesNext ? rest.slice(1) : rest);
  }
  const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
  if (inner) return findArgumentsError(inner, rest);
  if (command.registeredArguments.length > 0) return undefined;
  return `\`${getName(command)}\` has no ${command.commands.length > 0 ? "command" : "argument"} ${word}`;
}

function getName(command: Command): string {
  return command.parent ? `${getName(command.parent)} ${command.name()}` : command.name();
}
