import "@mantine/core/styles.css";
import "./console.css";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { isRetryable } from "./api/api-error.ts";
import { pageAt } from "./pages.ts";
import { cssVariables, theme } from "./theme.ts";

/** Of this answer's content security policy; without it a style element is refused. */
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
// For the library that keeps the page from scrolling below a drawer.
setNonce(nonce);

const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 10_000, retry: (count, error) => count < 2 && isRetryable(error) } },
});

// Now, and not only when it is known which workspaces there are. A failure is shown where the page is.
pageAt(location.pathname)
  ?.load()
  .catch(() => {});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
