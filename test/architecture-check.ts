/** Prints every violation of the rules in architecture.ts, and fails if there is one. */
import { RULES, readSources } from "./architecture.ts";

const sources = await readSources();
const faults = RULES.flatMap(([title, rule]) => rule(sources).map((fault) => `${fault} (rule: ${title})`));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${sources.size} files follow the rules of test/architecture.ts.`);
