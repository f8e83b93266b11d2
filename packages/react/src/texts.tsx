import { createContext, type ReactElement, type ReactNode, useContext, useMemo } from "react";
import type { Texts } from "./language-texts.ts";
import { english } from "./texts/en.ts";

const TextsContext = createContext<Texts>(english);

/** Props of `TextsProvider`. */
export interface TextsProviderProps {
  /** Texts that replace those of the provider above, or the English ones. */
  texts: Partial<Texts>;
  children?: ReactNode | undefined;
}

/** Replaces texts of the components below it, for products in another language. */
export function TextsProvider({ texts, children }: TextsProviderProps): ReactElement {
  const outer = useTexts();
  const value = useMemo(() => {
    return { ...outer, ...texts, messages: { ...outer.messages, ...texts.messages } };
  }, [outer, texts]);
  return <TextsContext.Provider value={value}>{children}</TextsContext.Provider>;
}

/** Returns the texts of the components. */
export function useTexts(): Texts {
  return useContext(TextsContext);
}
