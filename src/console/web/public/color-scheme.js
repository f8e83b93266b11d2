// Runs before the first paint, so that a dark page never flashes white. The key is the one that Mantine writes.
const chosen = localStorage.getItem("mantine-color-scheme-value") ?? "auto";
const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.mantineColorScheme = isDark ? "dark" : "light";
