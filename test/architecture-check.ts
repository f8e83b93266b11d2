/** Prints every violation of the rules in architecture.ts, and fails if there is one. */
import { RULES } from "./architecture.ts";
import { readSources } from "./sources.ts";

const sources = await readSources();
const errors = RULES.flatMap(([title, rule]) => rule(sources).map((error) => `${error} (rule: ${title})`));
for (const error of errors) console.error(error);
if (errors.length > 0) process.exit(1);
console.log(`${sources.size} files follow the rules of test/architecture.ts.`);
