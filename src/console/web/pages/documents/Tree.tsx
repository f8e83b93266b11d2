import { Button } from "@mantine/core";
import { useState } from "react";
import { formatCount } from "../../components/numbers.ts";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { getPreview, type TreeNode } from "./tree.ts";

/** Number of children shown at first, and added with each click. */
const CHILDREN_STEP = 100;
/** Maximum number of children that a node opens with, about one screen. */
const MAX_OPEN_CHILDREN = 50;

/** A tree of nodes that open and close. Closed nodes are not rendered. */
export function Tree({ label, nodes }: { label: string; nodes: TreeNode[] }) {
  const isOpen = nodes.length <= MAX_OPEN_CHILDREN;
  return (
    <section className="tree" aria-label={label}>
      <Nodes nodes={nodes} isOpen={isOpen} />
    </section>
  );
}

function Nodes({ nodes, isOpen }: { nodes: TreeNode[]; isOpen: boolean }) {
  const [shown, setShown] = useState(CHILDREN_STEP);
  const numbered = nodes.slice(0, shown).map((node, position) => ({ node, position }));
  return (
    <ul className="tree-list">
      {numbered.map(({ node, position }) => (
        <li key={position}>
          <Node node={node} isOpenAtFirst={isOpen} />
        </li>
      ))}
      {nodes.length > shown && (
        <li>
          <Button size="compact-xs" variant="default" onClick={() => setShown(shown + CHILDREN_STEP)}>
            Show more ({formatCount(nodes.length - shown)})
          </Button>
        </li>
      )}
    </ul>
  );
}

function Node({ node, isOpenAtFirst }: { node: TreeNode; isOpenAtFirst: boolean }) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst && node.children.length <= MAX_OPEN_CHILDREN);
  const { label, value, isText, children } = node;
  if (value !== undefined) {
    return (
      <>
        {label && (
          <span className="tree-label">
            <UntrustedText>{label}</UntrustedText>:{" "}
          </span>
        )}
        <span className={isText ? "tree-text" : undefined}>
          <UntrustedText>{value}</UntrustedText>
        </span>
      </>
    );
  }
  if (children.length === 0)
    return (
      <span className="tree-label">
        <UntrustedText>{label}</UntrustedText>
      </span>
    );
  return (
    <>
      <button type="button" className="tree-label" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <UntrustedText>{label || '""'}</UntrustedText>{" "}
        {!isOpen && (
          <span className="tree-preview">
            <UntrustedText>{getPreview(node)}</UntrustedText>
          </span>
        )}
      </button>
      {isOpen && <Nodes nodes={children} isOpen={isOpenAtFirst && children.length <= MAX_OPEN_CHILDREN} />}
    </>
  );
}
