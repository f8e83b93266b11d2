import type { Command } from "commander";

export interface ShellCommand {
  /** The names of the variables that are set for it. */
  assigned: string[];
  words: string[];
}

const ASSIGNMENT = /^([A-Z][A-Z\d_]*)=/;
/** What may stand in front of a command; `$` is a prompt. */
const PREFIXES = new Set(["$", "env", "exec", "npx", "sudo", "time"]);
/** The service's command line as `npm run` and `node` start it. */
const ENTRANCES = [
  /^npm run (?:-\S+ )*colloquy\b(?: --(?= |$))?/,
  /^node (?:-\S+ )*src\/main\.js\b/,
  /^(?:[\w./-]+\/)?colloquy(?= |$)/,
];
/** From here on it is for people, or for the shell. */
const PLACEHOLDER_OR_REDIRECTION = /^(\[|<|\d?>|…|\.\.\.)/;

/** The commands of a piece of code; what is none comes out as one that nobody knows. */
export function shellCommandsOf(code: string): ShellCommand[] {
  const lines = code.replace(/\\\n/g, " ").replace(/(^|\s)#.*$/gm, "$1");
  return lines.split(/&&|\|\||[;|\n]/).map((line) => {
    const words = line.split(/\s+/).filter(Boolean);
    const start = words.findIndex((word) => !ASSIGNMENT.test(word) && !PREFIXES.has(word));
    const before = start === -1 ? words : words.slice(0, start);
    const assigned = before.flatMap((word) => ASSIGNMENT.exec(word)?.[1] ?? []);
    return { assigned, words: start === -1 ? [] : words.slice(start) };
  });
}

/** What is wrong with a call of `program`; nothing where the command is another one. */
export function commandLineFault(program: Command, words: string[]): string | undefined {
  const line = words.join(" ");
  const entrance = ENTRANCES.find((pattern) => pattern.test(line));
  if (!entrance) return undefined;
  return argumentsFault(program, line.replace(entrance, "").split(" ").filter(Boolean));
}

function argumentsFault(command: Command, words: string[]): string | undefined {
  const [word, ...rest] = words;
  if (word === undefined || word === "help" || PLACEHOLDER_OR_REDIRECTION.test(word)) return undefined;
  if (["--", "--help", "-h"].includes(word)) return argumentsFault(command, rest);
  if (word.startsWith("-")) {
    const [flag = "", value] = word.split("=");
    const option = command.options.find((one) => one.short === flag || one.long === flag);
    if (!option) return `\`${nameOf(command)}\` has no option ${flag}`;
    const takesNext = (option.required || option.optional) && value === undefined;
    return argumentsFault(command, takesNext ? rest.slice(1) : rest);
  }
  const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
  if (inner) return argumentsFault(inner, rest);
  if (command.registeredArguments.length > 0) return undefined;
  return `\`${nameOf(command)}\` has no ${command.commands.length > 0 ? "command" : "argument"} ${word}`;
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}
