import { Button, Kbd } from "@mantine/core";
import { type UseDisclosureHandlers, useHotkeys } from "@mantine/hooks";
import { Icon } from "../components/Icon.tsx";
import { CommandPalette } from "./CommandPalette.tsx";

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

interface SearchButtonProps {
  isOpen: boolean;
  palette: UseDisclosureHandlers;
}

/** Opens the command palette, as Ctrl K and Cmd K do. */
export function SearchButton({ isOpen, palette }: SearchButtonProps) {
  const { open, close, toggle } = palette;
  useHotkeys([["mod+K", toggle]], [], true);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        ml="auto"
        aria-keyshortcuts="Control+K Meta+K"
        leftSection={<Icon name="search" size={14} />}
        onClick={open}
      >
        Search
        <Kbd aria-hidden size="xs" ml="xs" visibleFrom="sm">
          {IS_APPLE ? "⌘ K" : "Ctrl K"}
        </Kbd>
      </Button>
      <CommandPalette isOpen={isOpen} onClose={close} />
    </>
  );
}
