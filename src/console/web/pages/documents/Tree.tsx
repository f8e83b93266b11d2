import { Button } from "@mantine/core";
import { useState } from "react";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { previewOf, type TreeNode } from "./tree.ts";

/** Of a long list, how many are shown at first and more with each click. */
const CHILDREN = 100;
/** What is open from the start: about a screen of nodes. */
const OPEN_AT_FIRST = 50;

/** Content that can be opened and closed by part. What is closed is not rendered. */
export function Tree({ label, nodes }: { label: string; nodes: TreeNode[] }) {
  const isOpen = nodes.length <= OPEN_AT_FIRST;
  return (
    <section className="tree" aria-label={label}>
      <Nodes nodes={nodes} isOpen={isOpen} />
    </section>
  );
}

function Nodes({ nodes, isOpen }: { nodes: TreeNode[]; isOpen: boolean }) {
  const [shown, setShown] = useState(CHILDREN);
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
          <Button size="compact-xs" variant="default" onClick={() => setShown(shown + CHILDREN)}>
            {nodes.length - shown} more
          </Button>
        </li>
      )}
    </ul>
  );
}

function Node({ node, isOpenAtFirst }: { node: TreeNode; isOpenAtFirst: boolean }) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst && node.children.length <= OPEN_AT_FIRST);
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
            <UntrustedText>{previewOf(node)}</UntrustedText>
          </span>
        )}
      </button>
      {isOpen && <Nodes nodes={children} isOpen={isOpenAtFirst && children.length <= OPEN_AT_FIRST} />}
    </>
  );
}
