import type { ReactElement } from "react";
import { useTexts } from "./texts.tsx";

interface ExpandButtonProps {
  isExpanded: boolean;
  setExpanded: (isExpanded: boolean) => void;
  /** What is shown once it is pressed, such as "3 earlier". */
  label: string;
}

/** Shows the entries that one entry stands for, and hides them again. */
export function ExpandButton({ isExpanded, setExpanded, label }: ExpandButtonProps): ReactElement {
  const texts = useTexts();
  return (
    <button
      type="button"
      className="colloquy-button"
      data-variant="link"
      aria-expanded={isExpanded}
      onClick={() => setExpanded(!isExpanded)}
    >
      {isExpanded ? texts.showLess : label}
    </button>
  );
}
