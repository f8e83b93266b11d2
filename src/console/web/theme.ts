import { type CSSVariablesResolver, createTheme, Drawer, type MantineThemeOverride, Modal } from "@mantine/core";

/** Attributes that keep a screen reader from reading the header of a dialog as the header of the page. */
const attributes = { header: { role: "presentation" } };

/** Theme whose shades meet the contrast of WCAG AA, both below white text and on the page. */
export const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({ defaultProps: { attributes } }),
    Drawer: Drawer.extend({ defaultProps: { attributes } }),
  },
  fontSizes: { xs: "0.75rem", sm: "0.875rem", md: "0.9375rem", lg: "1.0625rem", xl: "1.25rem" },
});

/** Overrides for what another dialog covers: Escape closes only the one on top. */
export const coveredTheme: MantineThemeOverride = {
  components: {
    Modal: { defaultProps: { closeOnEscape: false } },
    Drawer: { defaultProps: { closeOnEscape: false } },
  },
};

/** Replacements for colors of Mantine whose contrast is below 4.5. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    "--panel": "#fff",
    "--mantine-color-dimmed": colors.gray[7],
    "--mantine-color-placeholder": "#666d74",
    "--mantine-color-error": colors.red[9],
    "--success": colors.teal[9],
    "--mantine-color-blue-light-hover": colors.blue[1],
    "--feature-comment": colors.blue[8],
    "--feature-reaction": colors.orange[8],
    "--feature-recorder": colors.violet[7],
    "--feature-crdt": colors.teal[8],
    "--feature-custom": colors.gray[6],
  },
  dark: {
    "--mantine-color-body": colors.dark[8],
    "--panel": colors.dark[7],
    "--mantine-color-dimmed": colors.dark[1],
    "--mantine-color-placeholder": "#a3a3a3",
    "--mantine-color-error": colors.red[4],
    "--success": colors.teal[4],
    "--feature-comment": colors.blue[5],
    "--feature-reaction": colors.orange[4],
    "--feature-recorder": colors.violet[4],
    "--feature-crdt": colors.teal[5],
    "--feature-custom": colors.gray[5],
  },
});
