import { revealBidiControls } from "./bidi.ts";

/** An id, a name or a text of somebody's: nothing in it changes how the words around it are read. */
export function UntrustedText({ children }: { children: string }) {
  return <bdi>{revealBidiControls(children)}</bdi>;
}
