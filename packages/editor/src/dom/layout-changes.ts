/** Calls back before the next frame, however often it is asked to. */
export interface FrameTask {
  request(): void;
  cancel(): void;
}

export function createFrameTask(run: () => void): FrameTask {
  let handle: number | undefined;
  return {
    request() {
      handle ??= requestAnimationFrame(() => {
        handle = undefined;
        run();
      });
    },
    cancel() {
      if (handle !== undefined) cancelAnimationFrame(handle);
      handle = undefined;
    },
  };
}

/** Attributes that move elements. Others, such as those of accessibility, change too often to measure after each. */
const MOVING_ATTRIBUTES = ["class", "style", "hidden", "open", "src", "width", "height"];

/**
 * Calls `onChange` at most once a frame after something in an element may have moved: a scroll, another size of the
 * window or the element, an image that has loaded, the end of a transition, or a change of the DOM. Changes within
 * `ignored`, the layer of the caller, do not count. Returns a function that ends the calls.
 */
export function watchLayout(element: Element, onChange: () => void, ignored?: Element): () => void {
  const task = createFrameTask(onChange);
  const controller = new AbortController();
  // Scrolls and loads of inner elements do not bubble, so they are captured.
  const options = { capture: true, passive: true, signal: controller.signal };
  const view = element.ownerDocument.defaultView ?? window;
  for (const event of ["scroll", "resize", "load", "transitionend", "toggle"]) {
    view.addEventListener(event, task.request, options);
  }
  const sizes = new ResizeObserver(task.request);
  sizes.observe(element);
  const mutations = new MutationObserver((records) => {
    if (records.some(({ target }) => !ignored?.contains(target))) task.request();
  });
  const kinds = { subtree: true, childList: true, characterData: true };
  mutations.observe(element, { ...kinds, attributeFilter: MOVING_ATTRIBUTES });
  return () => {
    controller.abort();
    sizes.disconnect();
    mutations.disconnect();
    task.cancel();
  };
}
