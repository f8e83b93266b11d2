import { visible } from "./visible.ts";

/** An id, a name or a text of somebody's: nothing in it changes how the words around it are read. */
export function Verbatim({ children }: { children: string }) {
  return <bdi>{visible(children)}</bdi>;
}
