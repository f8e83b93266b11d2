import { revealBidiControls } from "./bidi.ts";

/** Text written by others, such as an ID or a name, isolated so that it cannot reorder the text around it. */
export function UntrustedText({ children }: { children: string }) {
  return <bdi>{revealBidiControls(children)}</bdi>;
}
