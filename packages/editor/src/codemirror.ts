import { type Extension, Prec } from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";
import { findThread, highlightField } from "./codemirror/highlight-field.ts";
import { createAdapter } from "./codemirror/text-adapter.ts";
import type { AnchoredThreads } from "./model/anchored-threads.ts";
import { handleKey } from "./model/keys.ts";

export { commentsGutter } from "./codemirror/comments-gutter.ts";

/**
 * Returns an extension that highlights the text of threads, opens the one that is clicked, and has the keys of
 * comments. The editor needs `yCollab` of y-codemirror.next, which synchronizes it.
 */
export function commentsExtension(threads: AnchoredThreads): Extension {
  const connection = ViewPlugin.define((view) => {
    const { adapter, update } = createAdapter(view, threads.editorId ?? "");
    let detach: (() => void) | undefined;
    let isDestroyed = false;
    // A view cannot show highlights while it is being made.
    queueMicrotask(() => {
      if (!isDestroyed) detach = threads.attach(adapter);
    });
    return {
      update,
      destroy() {
        isDestroyed = true;
        detach?.();
      },
    };
  });
  const handlers = EditorView.domEventHandlers({
    click(event, view) {
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (event.button === 0 && position !== null && view.state.selection.main.empty) {
        threads.open(findThread(view.state, position), { scroll: false });
      }
    },
    keydown(event) {
      const isHandled = handleKey(threads, event);
      if (isHandled) event.preventDefault();
      return isHandled;
    },
  });
  return [highlightField, Prec.highest(handlers), connection];
}
