import { ActionIcon, Menu } from "@mantine/core";
import { type CurlRequest, curlCommand, typescriptCode } from "../api/curl.ts";
import { useWorkspace } from "../api/workspace.ts";
import { SERVICE_URL } from "../url.ts";
import { revealBidiControls } from "./bidi.ts";
import { CopyText } from "./CopyText.tsx";
import { Icon } from "./Icon.tsx";

interface PanelMenuProps {
  title: string;
  request: CurlRequest;
  onRefresh: () => void;
}

/** The ⋯ menu of a panel: reads its data again, and copies its request with a placeholder for the auth token. */
export function PanelMenu({ title, request, onRefresh }: PanelMenuProps) {
  return (
    <Menu
      position="bottom-end"
      keepMounted={false}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          aria-label={revealBidiControls(`More actions for ${title}`)}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onRefresh}>Refresh</Menu.Item>
        <CopyItems request={request} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Copies the request in the languages that the console knows. Mounted only while the menu is open. */
function CopyItems({ request }: { request: CurlRequest }) {
  const { apiKey } = useWorkspace();
  const service = { serviceUrl: SERVICE_URL, apiKey };
  return (
    <>
      <CopyItem label="Copy as curl" text={curlCommand(request, service)} />
      <CopyItem label="Copy as TypeScript" text={typescriptCode(request, service)} />
    </>
  );
}

function CopyItem({ label, text }: { label: string; text: string }) {
  return (
    <CopyText text={text} label={label}>
      {(button) => (
        <Menu.Item onClick={button.copy} closeMenuOnClick={false} aria-live="polite">
          {button.label}
        </Menu.Item>
      )}
    </CopyText>
  );
}
