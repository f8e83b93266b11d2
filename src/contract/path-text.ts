/** Returns a path as a caller writes it in JavaScript: `data.activities[0].changes["a b"]`. */
export function pathText([root = "the body", ...steps]: readonly (string | number)[]): string {
  return `${root}${steps.map(stepText).join("")}`;
}

function stepText(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
