// Pages without an editor have no Yjs, which the other modules of anchors need.
import { findQuote } from "../../../../src/anchors/find-quote.ts";
import { buildQuote } from "../../../../src/anchors/quote.ts";
import type { ResolvedAnchor } from "../model/adapter.ts";
import type { QuoteAnchor } from "../model/anchor.ts";
import { createFrameTask } from "./layout-changes.ts";
import { buildSelector, findElement } from "./selector.ts";
import { TextIndex } from "./text-index.ts";

/** What is known about an anchor. */
interface Entry {
  anchor: QuoteAnchor;
  resolved: ResolvedAnchor<Range> | undefined;
  /** Text of the range when it was found. */
  text: string;
  /** Version of the page in which all of it was searched. */
  version: number;
  /** Whether the anchor was asked for since the last change of the page. Others are forgotten. */
  isAsked: boolean;
}

/** Longest text that is searched at once for passages that have changed. */
const MAX_TEXT_LENGTH = 20_000;
/** Minimum milliseconds between two searches for passages that have changed or are missing. */
const SEARCH_INTERVAL_MS = 500;
/** Milliseconds after which a search lets the browser do other work. */
const SLICE_MS = 8;
/** Characters around an element that are searched with it, since a quote has 32 around it. */
const MARGIN = 64;

/**
 * Finds quoted passages in the text of an element. The browser keeps their ranges true while the page changes, so the
 * page is read and searched again only for those whose text has changed or is missing, at most twice a second.
 */
export class PageText {
  readonly #root: Element;
  readonly #onChange: () => void;
  readonly #entries = new Map<string, Entry>();
  readonly #mutations = new MutationObserver(() => this.#handleMutations());
  readonly #check = createFrameTask(() => this.#checkEntries());
  #index: TextIndex | undefined;
  #version = 0;
  #lastSearch = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onChange` is called after the page has changed, at most once a frame, and after passages were found again. */
  constructor(root: Element, onChange: () => void) {
    this.#root = root;
    this.#onChange = onChange;
    this.#mutations.observe(root, { subtree: true, childList: true, characterData: true });
  }

  /** Returns the passage of an anchor, or undefined if it is not on the page or has not been found yet. */
  find(anchor: QuoteAnchor): ResolvedAnchor<Range> | undefined {
    const key = JSON.stringify(anchor);
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { anchor, resolved: undefined, text: "", version: -1, isAsked: true };
      this.#entries.set(key, entry);
      this.#search(entry, false);
      if (!entry.resolved) this.#scheduleSearch();
    }
    entry.isAsked = true;
    return isOnPage(entry.resolved) ? entry.resolved : undefined;
  }

  /** Returns the anchor of what a range has of the text, or undefined if it has none. */
  createAnchor(selected: Range): QuoteAnchor | undefined {
    const index = this.#getIndex();
    const { text } = index;
    let { start, end } = index.toOffsets(selected);
    while (start < end && /\s/.test(text[start] ?? "")) start += 1;
    while (start < end && /\s/.test(text[end - 1] ?? "")) end -= 1;
    const container = index.toRange(start, end)?.commonAncestorContainer;
    const element = container instanceof Element ? container : container?.parentElement;
    return element ? { selector: buildSelector(element), quote: buildQuote(text, start, end) } : undefined;
  }

  destroy(): void {
    this.#mutations.disconnect();
    this.#check.cancel();
    clearTimeout(this.#timer);
  }

  #handleMutations(): void {
    this.#index = undefined;
    this.#version += 1;
    this.#check.request();
  }

  /** Returns the present text. Its nodes are those of the page, also if the browser has not reported mutations yet. */
  #getIndex(): TextIndex {
    if (this.#mutations.takeRecords().length > 0) this.#handleMutations();
    this.#index ??= new TextIndex(this.#root);
    return this.#index;
  }

  #checkEntries(): void {
    for (const [key, entry] of this.#entries) {
      if (!entry.isAsked) this.#entries.delete(key);
      entry.isAsked = false;
    }
    if ([...this.#entries.values()].some((entry) => this.#isOutdated(entry))) this.#scheduleSearch();
    this.#onChange();
  }

  #isOutdated({ resolved, text, version }: Entry): boolean {
    return version < this.#version && (!isOnPage(resolved) || resolved.range.toString() !== text);
  }

  #scheduleSearch(): void {
    const delay = Math.max(0, this.#lastSearch + SEARCH_INTERVAL_MS - performance.now());
    this.#timer ??= setTimeout(() => this.#searchOutdated(), delay);
  }

  /** Searches until the time of a slice is over, and then for the rest in the next slice. */
  #searchOutdated(): void {
    this.#timer = undefined;
    const begin = performance.now();
    const outdated = [...this.#entries.values()].filter((entry) => this.#isOutdated(entry));
    for (const [count, entry] of outdated.entries()) {
      this.#search(entry, true);
      const isLast = count === outdated.length - 1;
      if (isLast || performance.now() - begin < SLICE_MS) continue;
      this.#timer = setTimeout(() => this.#searchOutdated());
      break;
    }
    this.#lastSearch = performance.now();
    if (outdated.length > 0) this.#onChange();
  }

  /** Searches the element of an anchor, and then the whole text: for changed passages only if `isThorough`. */
  #search(entry: Entry, isThorough: boolean): void {
    const { selector, quote } = entry.anchor;
    const index = this.#getIndex();
    const { text } = index;
    const element = findElement(this.#root, selector);
    const span = element ? index.getSpan(element) : { start: 0, end: 0 };
    const [from, to] = [Math.max(0, span.start - MARGIN), span.end + MARGIN];
    const search = (start: number, end: number) => {
      const part = text.slice(start, end);
      if (!isThorough && part.length > MAX_TEXT_LENGTH && !part.includes(quote.exact)) return undefined;
      const found = findQuote(part, quote, Math.max(0, span.start - start));
      return found && { ...found, start: start + found.start, end: start + found.end };
    };
    const found = (element && search(from, to)) ?? search(0, text.length);
    const range = found && index.toRange(found.start, found.end);
    entry.resolved = range && { range, state: found.isExact ? "attached" : "moved" };
    entry.text = range?.toString() ?? "";
    if (range || isThorough) entry.version = this.#version;
  }
}

/** Returns whether the range of a passage is still part of the page. */
function isOnPage(resolved: ResolvedAnchor<Range> | undefined): resolved is ResolvedAnchor<Range> {
  return resolved !== undefined && !resolved.range.collapsed && resolved.range.commonAncestorContainer.isConnected;
}
