/** A part of the viewport, in pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Returns the part of the viewport in which a node can be seen: what its scrolling ancestors show, also outside of the
 * window. Ancestors from `layer` on do not count.
 */
export function getVisibleBox(node: Node, layer?: Element): Box {
  const visible = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  const { body } = node.ownerDocument ?? document;
  for (let parent = node.parentElement; parent && parent !== body && parent !== layer; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent);
    const box = parent.getBoundingClientRect();
    if (overflowX !== "visible") {
      visible.left = Math.max(visible.left, box.left);
      visible.right = Math.min(visible.right, box.right);
    }
    if (overflowY !== "visible") {
      visible.top = Math.max(visible.top, box.top);
      visible.bottom = Math.min(visible.bottom, box.bottom);
    }
  }
  return visible;
}
