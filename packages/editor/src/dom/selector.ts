/** IDs that frameworks generate on each render, such as `:r1:` and `_r_1_` of React and `radix-:r1:`. */
const GENERATED_ID = /[:«»]|^_r_|^(?:radix|headlessui|mantine|mui|react-aria)-|\d{6,}/;
/** Names of data attributes that identify an element, such as `data-id`, `data-block-id` and `data-testid`. */
const IDENTIFYING_NAME = /^data-(?:[\w-]+-)?(?:id|key|testid)$/;

/** Escaped characters and strings of a selector, and operators that contain the character of a combinator. */
const LITERAL = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|~=/gs;
/**
 * What makes a selector slow, or hides that: lists, combinators of siblings, pseudo-classes with other selectors, and
 * comments. A list of 120 such as `:has(~ a)` took more than 20 s on a page of 9,000 elements.
 */
const SLOW = /[,~+]|\((?!\d+\))|\/\*/;

type Root = Document | ShadowRoot;

/**
 * Returns a CSS selector of an element. It begins at the closest element with an ID or an identifying data attribute
 * that no other element has, so that it still finds the element after other parts of the page were reordered. From
 * there on, or from the body if there is none, it names each element by its tag and its place among those of the tag.
 */
export function buildSelector(element: Element): string {
  const root = element.getRootNode() as Root;
  const steps: string[] = [];
  for (let current: Element | null = element; current; current = current.parentElement) {
    const own = getUniqueSelector(current, root);
    steps.unshift(own ?? getPlace(current));
    if (own !== undefined) break;
  }
  return steps.join(" > ");
}

/** Returns the element that a selector finds within an element, itself included. */
export function findElement(within: Element, selector: string): Element | undefined {
  const found = query(within.getRootNode() as Root, selector);
  if (found && within.contains(found)) return found;
  return query(within, selector);
}

/** Returns the first element, or undefined also if the selector is invalid or slow: other users may have written it. */
function query(parent: ParentNode, selector: string): Element | undefined {
  if (SLOW.test(selector.replace(LITERAL, ""))) return undefined;
  try {
    return parent.querySelector(selector) ?? undefined;
  } catch {
    return undefined;
  }
}

function getUniqueSelector(element: Element, root: Root): string | undefined {
  if (element === element.ownerDocument.body) return "body";
  const candidates = [...element.attributes].flatMap(({ name, value }) => {
    if (value === "" || GENERATED_ID.test(value)) return [];
    if (name === "id") return [`#${CSS.escape(value)}`];
    return IDENTIFYING_NAME.test(name) ? [`[${name}="${CSS.escape(value)}"]`] : [];
  });
  // An ID comes before data attributes.
  candidates.sort((a, b) => Number(b.startsWith("#")) - Number(a.startsWith("#")));
  return candidates.find((selector) => root.querySelectorAll(selector).length === 1);
}

function getPlace(element: Element): string {
  const tag = CSS.escape(element.localName);
  const siblings = [...(element.parentNode?.children ?? [])].filter(({ localName }) => localName === element.localName);
  return siblings.length > 1 ? `${tag}:nth-of-type(${siblings.indexOf(element) + 1})` : tag;
}
