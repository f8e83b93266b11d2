import { HocuspocusProvider } from "@hocuspocus/provider";

type Send = Parameters<HocuspocusProvider["send"]>;

/**
 * A provider that counts each change until the service has stored it. The provider of Hocuspocus also sends changes
 * that were made before it synchronizes one by one, without counting them, and their acknowledgments make it report
 * later changes as stored. Here the synchronization alone carries these changes.
 */
export class DocumentProvider extends HocuspocusProvider {
  /** Whether the synchronization has started on the current socket. */
  #hasStarted = false;
  /** State of the user in a page that is hidden. */
  #hiddenState: Record<string, unknown> | null = null;

  override onOpen(event: Event): Promise<void> {
    this.#hasStarted = false;
    return super.onOpen(event);
  }

  override onClose(): void {
    this.#hasStarted = false;
    super.onClose();
  }

  /** Takes the user out of the document, because the browser hides the page. */
  override pageHide(): void {
    this.#hiddenState = this.awareness?.getLocalState() ?? null;
    super.pageHide();
  }

  /** Brings the user back if the browser shows the page again, from its cache. */
  pageShow(): void {
    if (this.#hiddenState) this.awareness?.setLocalState(this.#hiddenState);
    this.#hiddenState = null;
  }

  /** Starts once for each socket, even if a token that an earlier socket asked for arrives late. */
  override startSync(): void {
    if (this.#hasStarted || !this.#isOpen) return;
    // Others have removed the state of the socket before, and would ignore the same state until it is a newer one.
    const state = this.awareness?.getLocalState();
    if (state) this.awareness?.setLocalState(state);
    this.#hasStarted = true;
    super.startSync();
  }

  override send(message: Send[0], content: Send[1]): void {
    if (this.#isOpen && (this.#hasStarted || "token" in content)) super.send(message, content);
  }

  get #isOpen(): boolean {
    const { webSocket } = this.configuration.websocketProvider;
    return webSocket?.readyState === WebSocket.OPEN;
  }
}
