import type { Texts } from "./language-texts.ts";

/** Returns the class, language and direction of the outermost element of a component. */
export function getRootProps(
  { language, direction }: Pick<Texts, "language" | "direction">,
  own: string,
  added: string | undefined,
): { className: string; lang: string; dir: "ltr" | "rtl" } {
  return { className: added ? `${own} ${added}` : own, lang: language, dir: direction };
}
