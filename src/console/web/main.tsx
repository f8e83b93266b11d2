import "@mantine/core/styles.css";
import "./console.css";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { isRetryable } from "./api/api-error.ts";
import { recoveryInterval } from "./api/recovery.ts";
import { pageAt } from "./pages.ts";
import { cssVariables, theme } from "./theme.ts";

/** The nonce of this page's content security policy, which blocks style elements that lack it. */
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
// The scroll lock below drawers and dialogs adds style elements, too.
setNonce(nonce);

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && isRetryable(error),
      refetchInterval: recoveryInterval,
      // A list that somebody reads stays as it is: its panel says what is new instead.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
});

// Loads the page's script in parallel with the list of workspaces. The page shows an error when it renders.
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
