const adopted = new WeakMap<DocumentOrShadowRoot, Set<string>>();

/** Adds styles to the document or shadow root of an element, once. Those of the page, in no layer, take precedence. */
export function adoptStyles(element: Element, styles: string): void {
  const node = element.getRootNode();
  const root = node instanceof ShadowRoot ? node : element.ownerDocument;
  const known = adopted.get(root) ?? new Set();
  if (known.has(styles)) return;
  adopted.set(root, known.add(styles));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer colloquy { ${styles} }`);
  root.adoptedStyleSheets.push(sheet);
}
