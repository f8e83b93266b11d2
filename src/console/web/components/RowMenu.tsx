import { ActionIcon, Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { revealBidiControls } from "./bidi.ts";
import { Icon } from "./Icon.tsx";

interface RowMenuProps {
  /** Name of what the row shows. */
  name: string;
  /** The items. */
  children: ReactNode;
}

/** The actions on a row of a table. */
export function RowMenu({ name, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end" keepMounted={false} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          tabIndex={-1}
          aria-label={revealBidiControls(`Actions for ${name}`)}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
